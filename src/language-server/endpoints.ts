import { Effort } from '../model';
import { ENDPOINT_LINES } from '../model/acl/lint/endpoint-table';
import { KINDS_BY_MOUNT, parametersUsedAt } from '../model/acl/lint/known-endpoints';
import { mountsIn } from '../model/acl/lint/mounts';

/** An endpoint of a mount. */
export interface Endpoint {
  /** The segments of its path below the mount; `+` and `*` as in policies. */
  readonly segments: readonly string[];
  /** The first letters of the capabilities that its operations need. */
  readonly letters: string;
}

/** The operations, by the first letter of the capability in the table of endpoints. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  r: 'read: "read"',
  l: 'list: "list"',
  c: 'create: "create"',
  u: 'write: "update"',
  p: 'patch: "patch"',
  d: 'delete: "delete"',
};

/** The mounts that every policy may name, and those that are known by the paths of this one. */
export function mountsFor(paths: readonly string[]): ReadonlyMap<string, readonly Endpoint[]> {
  const kinds = new Map([...Object.entries(KINDS_BY_MOUNT), ...mountsIn(paths).kinds]);
  return new Map(Array.from(kinds, ([mount, kind]) => [mount, endpointsOf(kind)]));
}

/** Returns the endpoints that a path of a policy reaches, with their full paths. */
export function endpointsAt(
  path: string,
  mounts: ReadonlyMap<string, readonly Endpoint[]>,
): readonly { readonly path: string; readonly letters: string }[] {
  const segments = path.replace(/\/$/, '').split('/');
  const mount = mountOf(path, mounts);
  if (mount === undefined) return [];
  const below = segments.slice(mount.split('/').length);
  return mounts
    .get(mount)!
    .flatMap((endpoint) =>
      reaches(below, endpoint.segments)
        ? [{ path: [mount, ...endpoint.segments].join('/'), letters: endpoint.letters }]
        : [],
    );
}

/** Returns the parameters of the requests for a path, if they are known. */
export function parametersAt(path: string, paths: readonly string[]): readonly string[] {
  const effort = Effort.for([{ names: paths, characters: path.length }]);
  return parametersUsedAt(path, mountsIn(paths), effort) ?? [];
}

/** Returns the longest known mount that a path is below. */
export function mountOf(path: string, mounts: ReadonlyMap<string, readonly Endpoint[]>): string | undefined {
  return [...mounts.keys()]
    .filter((mount) => path.startsWith(`${mount}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** Whether a segment of a policy and one of an endpoint have a name in common. */
export function meets(own: string, segment: string): boolean {
  if (segment === '+' || segment === '*' || own === '+') return true;
  return own.endsWith('*') ? segment.startsWith(own.slice(0, -1)) : own === segment;
}

function reaches(own: readonly string[], segments: readonly string[]): boolean {
  for (let index = 0; ; index++) {
    const [mine, other] = [own[index], segments[index]];
    if (mine === undefined || other === undefined) return mine === other;
    if (!meets(mine, other)) return false;
    const isLast = index === own.length - 1;
    if (other === '*' || (isLast && mine.endsWith('*'))) return true;
  }
}

function endpointsOf(kind: string): readonly Endpoint[] {
  const lines = ENDPOINT_LINES[kind]?.trim().split('\n') ?? [];
  return lines.map((line) => {
    const [path = '', letters = ''] = line.split(' ');
    return { segments: path.split('/'), letters };
  });
}
