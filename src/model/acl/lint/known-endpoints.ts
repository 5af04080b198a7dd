import type { AclCapability } from '../policy';
import type { Effort } from '../effort';
import { overlap, patternOf, type PathPattern } from '../reasoning/pattern';
import { nearestOf } from '../../../text';
import { SYSTEM_PATHS } from './endpoints';
import { ENDPOINT_LINES } from './endpoint-table';
import { PARAMETER_LINES } from './parameter-table';
import { mountOf, type Mounts } from './mounts';

interface Endpoint {
  readonly pattern: PathPattern;
  readonly capabilities: readonly AclCapability[];
  /** The names of its parameters. Absent if they are not known. */
  readonly parameters?: readonly string[] | undefined;
}

/** The endpoints of one kind of mount. */
interface Endpoints {
  readonly all: readonly Endpoint[];
  /** By their first segments, if these are names. */
  readonly byFirst: ReadonlyMap<string, readonly Endpoint[]>;
  /** The endpoints that begin with a parameter. */
  readonly open: readonly Endpoint[];
}

/** The endpoints of the mount that a path is on, and the path below the mount. */
interface EndpointsBeside {
  readonly mount: string;
  readonly below: readonly string[];
  readonly own: PathPattern;
  readonly endpoints: Endpoints;
}

const BY_LETTER: Readonly<Record<string, AclCapability>> = {
  c: 'create',
  d: 'delete',
  l: 'list',
  p: 'patch',
  r: 'read',
  u: 'update',
};

/** The kinds of the table by mounts that every server has, or hardly any server uses otherwise. */
export const KINDS_BY_MOUNT: Readonly<Record<string, string>> = {
  sys: 'sys',
  identity: 'identity',
  'auth/token': 'token',
  'auth/approle': 'approle',
  'auth/aws': 'auth-aws',
  'auth/jwt': 'jwt',
  'auth/kubernetes': 'auth-kubernetes',
  'auth/userpass': 'userpass',
};

const WRITES = ['create', 'update', 'patch'] as const;

const SHORTEST_NAME = 3;
/** The most letters in which a misspelt name differs: of a short one, and of others. */
const FEW_LETTERS = { short: 1, long: 2 };
const SHORT = 4;

const ENDPOINTS = new Map<string, Endpoints>();

/** Returns the paths of endpoints that one misspelt segment distinguishes from a path of none. */
export function endpointsMeantBy(path: string, mounts: Mounts, effort: Effort): readonly string[] {
  const beside = endpointsBeside(path, mounts);
  if (!beside || reached(beside, effort).length > 0) return [];
  const { mount, below, own, endpoints } = beside;
  const { byFirst, open, all } = endpoints;
  // Where the first segment is a name, another one is misspelt.
  const beginning = byFirst.get(own.segments[0]!.text);
  const meant = (beginning ? [...beginning, ...open] : all).flatMap(({ pattern }) => {
    const found = misspeltSegment(own, pattern, effort);
    return found ? [[mount, ...below.with(found.index, found.correct)].join('/')] : [];
  });
  return [...new Set(meant)];
}

/** Returns the capabilities that requests for a path use; `undefined` if no endpoint is known. */
export function capabilitiesUsedAt(
  path: string,
  mounts: Mounts,
  effort: Effort,
): ReadonlySet<AclCapability> | undefined {
  const beside = endpointsBeside(path, mounts);
  const endpoints = beside ? reached(beside, effort) : [];
  return endpoints.length === 0 ? undefined : new Set(endpoints.flatMap(({ capabilities }) => capabilities));
}

/**
 * Returns the parameters that requests for a path may have; `undefined` if not all are known.
 */
export function parametersUsedAt(
  path: string,
  mounts: Mounts,
  effort: Effort,
): readonly string[] | undefined {
  const beside = endpointsBeside(path, mounts);
  const endpoints = beside ? reached(beside, effort) : [];
  const written = endpoints.filter(({ capabilities }) => WRITES.some((each) => capabilities.includes(each)));
  if (written.length === 0 || written.some(({ parameters }) => !parameters)) return undefined;
  return [...new Set(endpoints.flatMap(({ parameters = [] }) => parameters))];
}

function reached({ own, endpoints }: EndpointsBeside, effort: Effort): readonly Endpoint[] {
  const first = own.segments[0]!;
  const { all, byFirst, open } = endpoints;
  const possible = first.open ? all : [...(byFirst.get(first.text) ?? []), ...open];
  return possible.filter(({ pattern }) => overlap(pattern, own, effort));
}

function endpointsBeside(path: string, mounts: Mounts): EndpointsBeside | undefined {
  const segments = path.split('/');
  const builtIn = [segments.slice(0, 1), segments.slice(0, 2)]
    .map((each) => each.join('/'))
    .find((mount) => Object.hasOwn(KINDS_BY_MOUNT, mount));
  const found = mountOf(path, mounts);
  const [mount, kind] = builtIn ? [builtIn, KINDS_BY_MOUNT[builtIn]!] : [found?.mount, found?.kind];
  if (mount === undefined || kind === undefined || !Object.hasOwn(ENDPOINT_LINES, kind)) return undefined;
  const below = segments.slice(mount.split('/').length);
  const endpoints = endpointsOf(kind);
  // The table does not have all paths below sys/.
  const isOther = kind === 'sys' && SYSTEM_PATHS.includes(below[0]!) && !endpoints.byFirst.has(below[0]!);
  const rest = below.join('/').replace(/\/$/, '');
  return isOther || rest === '' ? undefined : { mount, below, own: patternOf(rest), endpoints };
}

function endpointsOf(kind: string): Endpoints {
  const found = ENDPOINTS.get(kind);
  if (found) return found;
  const lines = ENDPOINT_LINES[kind]!.trim().split('\n');
  const parametersByPath = new Map(
    PARAMETER_LINES[kind]!.trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([path, ...names]) => [path!, names]),
  );
  const all = lines.flatMap((line): readonly Endpoint[] => {
    const [path, letters] = line.split(' ') as [string, string];
    const capabilities = [...letters].map((letter) => BY_LETTER[letter]!);
    const endpoint = { pattern: patternOf(path), capabilities, parameters: parametersByPath.get(path) };
    // The path of a request that lists ends with a slash.
    const listing = { pattern: patternOf(`${path}/`), capabilities: ['list'] as const };
    return letters.includes('l') && !path.endsWith('*') ? [endpoint, listing] : [endpoint];
  });
  const isOpen = ({ pattern }: Endpoint) => pattern.segments[0]!.open;
  const byFirst = new Map<string, Endpoint[]>();
  for (const endpoint of all.filter((each) => !isOpen(each))) {
    const { text } = endpoint.pattern.segments[0]!;
    byFirst.set(text, [...(byFirst.get(text) ?? []), endpoint]);
  }
  const endpoints = { all, byFirst, open: all.filter(isOpen) };
  ENDPOINTS.set(kind, endpoints);
  return endpoints;
}

/** Returns the only segment that differs from an endpoint, if it is spelled like that one's. */
function misspeltSegment(
  own: PathPattern,
  endpoint: PathPattern,
  effort: Effort,
): { readonly index: number; readonly correct: string } | undefined {
  effort.spend(1);
  const [length, other] = [own.segments.length, endpoint.segments.length];
  if (length !== other && !(length > other ? endpoint : own).isPrefix) return undefined;
  let found: { readonly index: number; readonly correct: string } | undefined;
  for (let index = 0; index < Math.min(length, other); index++) {
    const written = own.segments[index]!;
    const { text, open } = endpoint.segments[index]!;
    if (open || (written.open ? text.startsWith(written.text) : text === written.text)) continue;
    const isName = !written.open && /^[\w.-]+$/.test(written.text);
    const isSpelt = isName && written.text.length >= SHORTEST_NAME && text !== '';
    if (found || !isSpelt) return undefined;
    const letters = written.text.length < SHORT ? FEW_LETTERS.short : FEW_LETTERS.long;
    if (Math.abs(written.text.length - text.length) > letters) return undefined;
    effort.spend(text.length);
    if (nearestOf(written.text, [text], letters) === undefined) return undefined;
    found = { index, correct: text };
  }
  return found;
}
