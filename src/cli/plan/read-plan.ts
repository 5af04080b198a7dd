import { readStandardInput, readTextFile } from '../../policy/text-file';
import { isRecord, type JsonRecord, parseForeignJson, visible } from '../../text';
import { UserError } from '../errors';

/**
 * Reads the planned changes of each resource.
 *
 * @param file the output of `terraform show -json PLAN`; `-` for standard input.
 * @throws UserError if the file is not a plan.
 */
export function changesInPlan(file: string): readonly JsonRecord[] {
  const read = readJson(file);
  const changes = isRecord(read) && 'format_version' in read ? (read['resource_changes'] ?? []) : undefined;
  if (Array.isArray(changes)) return changes.filter(isRecord);
  throw notAPlan(file);
}

function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return parseForeignJson(text);
  } catch {
    throw notAPlan(file);
  }
}

/** The maximum size in bytes. A plan contains everything that is managed, several times. */
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
  return new UserError({
    summary: `${file === '-' ? 'the standard input' : visible(file)} is not a plan in JSON`,
    cures: 'pass what "terraform show -json <PLAN>" prints',
  });
}
