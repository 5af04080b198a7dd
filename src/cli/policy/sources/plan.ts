import { POLICY_RESOURCE_TYPES } from '../../../model';
import { readStandardInput, readTextFile } from '../../../policy/text-file';
import { visible, trimmed } from '../../../text';
import { UserError } from '../../errors';
import { isRecord } from './mounts';
import type { PolicyText } from './policy-source';

/** What a plan does to ACL policies. */
interface PlannedPolicies {
  readonly before: readonly PolicyText[];
  readonly after: readonly PolicyText[];
  /** The addresses of resources whose text is known only when the plan is applied. */
  readonly unknown: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the policies that a plan changes, creates and deletes, of this provider's resources and of hashicorp/vault's.
 *
 * @param file what `terraform show -json PLAN` prints; `-` for standard input.
 * @throws UserError if it is something else.
 */
export function policiesInPlan(file: string): PlannedPolicies {
  const changes = readChanges(file).filter(
    ({ mode, type }) => mode === 'managed' && POLICY_RESOURCE_TYPES[textOf(type)] === 'acl',
  );
  const planned = { before: [] as PolicyText[], after: [] as PolicyText[], unknown: [] as string[] };
  for (const { address, change } of changes) {
    const { actions, before, after, after_unknown: unknown } = isRecord(change) ? change : {};
    if (['no-op', 'read', 'forget'].includes(String(actions))) continue;
    const place = visible(textOf(address));
    if (isRecord(unknown) && (unknown['policy'] === true || unknown['name'] === true)) {
      planned.unknown.push(place);
      continue;
    }
    planned.before.push(...policyOf(before, place));
    planned.after.push(...policyOf(after, place));
  }
  return planned;
}

function readChanges(file: string): readonly Values[] {
  const read = readJson(file);
  const changes = isRecord(read) && 'format_version' in read ? (read['resource_changes'] ?? []) : undefined;
  if (Array.isArray(changes)) return changes.filter(isRecord);
  throw notAPlan(file);
}

function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw notAPlan(file);
  }
}

/** In bytes. Plans hold everything that is managed, several times. */
const LONGEST_PLAN = 256 * 1024 * 1024;

function readText(file: string): string {
  try {
    return file === '-' ? readStandardInput(LONGEST_PLAN) : readTextFile(file, LONGEST_PLAN);
  } catch (error) {
    throw new UserError(
      visible(`${file === '-' ? 'the plan' : file} cannot be read: ${(error as Error).message}`),
    );
  }
}

function notAPlan(file: string): UserError {
  return new UserError(
    `${file === '-' ? 'the standard input' : visible(file)} is not a plan in JSON\n` +
      'To do: pass what "terraform show -json <PLAN>" prints.',
  );
}

function policyOf(values: unknown, place: string): readonly PolicyText[] {
  if (!isRecord(values)) return [];
  const { name, policy, namespace } = values;
  if (typeof name !== 'string' || typeof policy !== 'string') return [];
  const within = trimmed(textOf(namespace), '/');
  return [{ name: name.toLowerCase(), place, namespace: within === '' ? '' : `${within}/`, text: policy }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
