import { POLICY_RESOURCE_TYPES } from '../../../model';
import { isRecord, trimmed, visible } from '../../../text';
import { changesInPlan } from '../../plan/read-plan';
import { textOf } from '../../plan/values';
import type { PolicyText } from './policy-source';

/** The changes of ACL policies in a plan. */
interface PlannedPolicies {
  readonly before: readonly PolicyText[];
  readonly after: readonly PolicyText[];
  /** The addresses of resources whose text is known only when the plan is applied. */
  readonly unknown: readonly string[];
}

/**
 * Reads the policies that a plan changes, creates and deletes, of this provider's resources and of hashicorp/vault's.
 *
 * @param file what `terraform show -json PLAN` prints; `-` for standard input.
 * @throws UserError if it is something else.
 */
export function policiesInPlan(file: string): PlannedPolicies {
  const changes = changesInPlan(file).filter(
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

function policyOf(values: unknown, place: string): readonly PolicyText[] {
  if (!isRecord(values)) return [];
  const { name, policy, namespace } = values;
  if (typeof name !== 'string' || typeof policy !== 'string') return [];
  const within = trimmed(textOf(namespace), '/');
  return [{ name: name.toLowerCase(), place, namespace: within === '' ? '' : `${within}/`, text: policy }];
}
