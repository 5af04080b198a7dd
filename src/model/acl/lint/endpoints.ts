import { groupsByKey } from '../../groups';
import type { AclCapability } from '../policy';
import { patternOf, type PathPattern } from '../reasoning/pattern';
import { ENDPOINT_LINES } from './endpoint-table';

/** An endpoint of a kind of mount. */
export interface Endpoint {
  /** The path below the mount, as in a policy. */
  readonly path: string;
  readonly pattern: PathPattern;
  /** The capabilities that its operations need. */
  readonly capabilities: readonly AclCapability[];
  /** The names of its parameters. Absent if they are not known. */
  readonly parameters?: readonly string[] | undefined;
}

/** The endpoints of one kind of mount. */
export interface Endpoints {
  readonly all: readonly Endpoint[];
  /** The endpoints by their first segments, if these are names. */
  readonly byFirst: ReadonlyMap<string, readonly Endpoint[]>;
  /** The endpoints whose first segment is a parameter. */
  readonly open: readonly Endpoint[];
}

const BY_LETTER: Readonly<Record<string, AclCapability>> = {
  c: 'create',
  d: 'delete',
  l: 'list',
  p: 'patch',
  r: 'read',
  u: 'update',
};

const ENDPOINTS = new Map<string, Endpoints>();

/** Returns the endpoints of a kind of mount; `undefined` if they are not described. */
export function endpointsOf(kind: string): Endpoints | undefined {
  if (!Object.hasOwn(ENDPOINT_LINES, kind)) return undefined;
  const found = ENDPOINTS.get(kind) ?? readEndpoints(kind);
  ENDPOINTS.set(kind, found);
  return found;
}

function readEndpoints(kind: string): Endpoints {
  const lines = ENDPOINT_LINES[kind]!.trim().split('\n');
  const all = lines.flatMap((line): readonly Endpoint[] => {
    const [path, letters, ...names] = line.split(' ') as [string, string, ...string[]];
    const capabilities = Array.from(letters, (letter) => BY_LETTER[letter]!);
    const parameters = names.length > 0 ? names : undefined;
    const endpoint = { path, pattern: patternOf(path), capabilities, parameters };
    if (!letters.includes('l')) return [endpoint];
    const folder = path.replace(/\/\*$/, '');
    // The path of a list request ends with a slash.
    const listed = patternOf(`${folder}/`);
    // The folder of "raw/*" can be listed as well.
    if (folder !== path)
      return [endpoint, { ...endpoint, pattern: patternOf(folder) }, { ...endpoint, pattern: listed }];
    return [endpoint, { path, pattern: listed, capabilities: ['list'] }];
  });
  const isOpen = ({ pattern }: Endpoint) => pattern.segments[0]!.open;
  const byFirst = groupsByKey(
    all.filter((each) => !isOpen(each)),
    ({ pattern }) => pattern.segments[0]!.text,
  );
  return { all, byFirst, open: all.filter(isOpen) };
}

/** Returns the names with which the paths of a kind of mount begin. */
export function firstNames(kind: string): readonly string[] {
  return [...endpointsOf(kind)!.byFirst.keys()];
}
