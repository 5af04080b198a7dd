import { Effort, patternOf, type AclCapability } from '../model';
import { endpointsOf } from '../model/acl/lint/endpoints';
import { endpointsAt, parametersUsedAt, type KnownEndpoint } from '../model/acl/lint/known-endpoints';
import { mountOf, mountsIn } from '../model/acl/lint/mounts';
import { overlap } from '../model/acl/reasoning/pattern';
import { descriptionOf } from './endpoint-descriptions';

/** The operations whose names differ from the capabilities that they need. */
const OTHER_NAMES: Readonly<Record<string, string>> = { update: 'write' };

/** Returns operations with the capability that each needs. */
export function operationsText(capabilities: readonly AclCapability[]): string {
  return capabilities.map((each) => `${OTHER_NAMES[each] ?? each}: "${each}"`).join(', ');
}

/** An endpoint with a sentence about it. */
interface DescribedEndpoint extends KnownEndpoint {
  readonly description: string | undefined;
}

/** Returns the endpoints that a path of a policy reaches, with their full paths. */
export function endpointsOn(path: string, paths: readonly string[]): readonly DescribedEndpoint[] {
  const mounts = mountsIn(paths);
  const { mount = '', kind = '' } = mountOf(path, mounts) ?? {};
  return endpointsAt(path, mounts, effortFor(path, paths)).map((each) => ({
    ...each,
    description: descriptionOf(kind, each.path.slice(mount.length + 1)),
  }));
}

/** Returns the parameters of the requests for a path, if they are known. */
export function parametersOn(path: string, paths: readonly string[]): readonly string[] {
  return parametersUsedAt(path, mountsIn(paths), effortFor(path, paths)) ?? [];
}

/**
 * Returns the segments that may follow a path. If the path can end after a segment, the
 * capabilities that its operations need come with the segment.
 *
 * @param before ends with a slash, or is empty.
 */
export function nextSegments(
  before: string,
  paths: readonly string[],
): ReadonlyMap<string, readonly AclCapability[]> {
  const mounts = mountsIn(paths);
  const effort = effortFor(before, paths);
  const found = new Map<string, readonly AclCapability[]>();
  for (const mount of mounts.kinds.keys()) {
    if (mount.startsWith(before)) found.set(`${mount.slice(before.length).split('/')[0]}/`, []);
  }
  const { kind = '', rest = '' } = mountOf(before, mounts) ?? {};
  const own = patternOf(`${rest}*`);
  const length = own.segments.length;
  for (const { path, pattern, capabilities } of endpointsOf(kind)?.all ?? []) {
    const segments = path.split('/');
    const next = segments[length - 1];
    if (next === undefined || !overlap(own, pattern, effort)) continue;
    if (segments.length > length) found.set(`${next}/`, []);
    else found.set(next, [...new Set([...(found.get(next) ?? []), ...capabilities])]);
  }
  return found;
}

function effortFor(path: string, paths: readonly string[]): Effort {
  return Effort.for([{ names: paths, characters: path.length }]);
}
