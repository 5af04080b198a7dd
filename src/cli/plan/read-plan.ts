import { readStandardInput, readTextFile } from '../../policy/text-file';
import { isRecord, type JsonRecord, parseForeignJson, visible } from '../../text';
import { UserError } from '../errors';
import { readNamed } from '../named-files';

/**
 * Reads the planned changes of each resource.
 *
 * @param file the output of `terraform show -json PLAN`; `-` for standard input.
 * @throws UserError if the file is not a plan.
 */
export function changesInPlan(file: string): readonly JsonRecord[] {
  const read = readJson(file);
  if (!isRecord(read)) throw notAPlan(file);
  const { format_version: version, resource_changes: changes = [], planned_values: planned } = read;
  // A state has a format_version as well, and neither changes nor planned values.
  const isPlan = 'resource_changes' in read || planned !== undefined;
  if (typeof version !== 'string' || !isPlan || !Array.isArray(changes)) throw notAPlan(file);
  if (!version.startsWith('1.')) {
    throw new UserError({
      summary: `${nameOf(file)} has the format version ${visible(version)}`,
      allowed: 'versions 1.x',
      cures: 'use a later version of this package, or the version of Terraform that it knows',
    });
  }
  if (read['errored'] === true) {
    throw new UserError({
      summary: `${nameOf(file)} is the plan of a run that failed, so it lacks changes`,
      cures: 'plan again until the plan succeeds',
    });
  }
  return changes.filter(isRecord);
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
  return file === '-'
    ? readNamed('the plan', () => readStandardInput(LONGEST_PLAN))
    : readNamed(file, () => readTextFile(file, LONGEST_PLAN));
}

function nameOf(file: string): string {
  return file === '-' ? 'the standard input' : visible(file);
}

function notAPlan(file: string): UserError {
  return new UserError({
    summary: `${nameOf(file)} is not a plan in JSON`,
    cures: 'pass what "terraform show -json <PLAN>" prints',
  });
}
