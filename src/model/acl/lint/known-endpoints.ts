import type { AclCapability } from '../policy';
import { UNCOUNTED } from '../effort';
import { overlap, patternOf, type PathPattern } from '../reasoning/pattern';
import { nearestOf } from '../../../text';
import { SYSTEM_PATHS } from './endpoints';
import { ENDPOINT_LINES } from './endpoint-table';
import { mountOf, type Mounts } from './mounts';

interface Endpoint {
  readonly pattern: PathPattern;
  readonly capabilities: readonly AclCapability[];
}

/** The endpoints of the mount that a path is on, and the path below the mount. */
interface EndpointsBeside {
  readonly mount: string;
  readonly below: readonly string[];
  readonly own: PathPattern;
  readonly endpoints: readonly Endpoint[];
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
const KINDS_BY_MOUNT: Readonly<Record<string, string>> = {
  sys: 'sys',
  identity: 'identity',
  'auth/token': 'token',
  'auth/approle': 'approle',
  'auth/aws': 'auth-aws',
  'auth/jwt': 'jwt',
  'auth/kubernetes': 'auth-kubernetes',
  'auth/userpass': 'userpass',
};

const SHORTEST_NAME = 3;
/** The most letters in which a misspelt name differs: of a short one, and of others. */
const FEW_LETTERS = { short: 1, long: 2 };
const SHORT = 4;

const ENDPOINTS = new Map<string, readonly Endpoint[]>();

/** Returns the paths of endpoints that one misspelt segment distinguishes from a path of none. */
export function endpointsMeantBy(path: string, mounts: Mounts): readonly string[] {
  const beside = endpointsBeside(path, mounts);
  if (!beside || reached(beside).length > 0) return [];
  const { mount, below, own, endpoints } = beside;
  const meant = endpoints.flatMap(({ pattern }) => {
    const found = misspeltSegment(own, pattern);
    return found ? [[mount, ...below.with(found.index, found.correct)].join('/')] : [];
  });
  return [...new Set(meant)];
}

/** Returns the capabilities that requests for a path use; `undefined` if no endpoint is known. */
export function capabilitiesUsedAt(path: string, mounts: Mounts): ReadonlySet<AclCapability> | undefined {
  const beside = endpointsBeside(path, mounts);
  const endpoints = beside ? reached(beside) : [];
  return endpoints.length === 0 ? undefined : new Set(endpoints.flatMap(({ capabilities }) => capabilities));
}

function reached({ own, endpoints }: EndpointsBeside): readonly Endpoint[] {
  return endpoints.filter(({ pattern }) => overlap(pattern, own, UNCOUNTED));
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
  const isOther = kind === 'sys' && SYSTEM_PATHS.includes(below[0]!) && !hasFirst(endpoints, below[0]!);
  const rest = below.join('/').replace(/\/$/, '');
  return isOther || rest === '' ? undefined : { mount, below, own: patternOf(rest), endpoints };
}

function hasFirst(endpoints: readonly Endpoint[], name: string): boolean {
  return endpoints.some(({ pattern }) => pattern.segments[0]!.text === name);
}

function endpointsOf(kind: string): readonly Endpoint[] {
  const found = ENDPOINTS.get(kind);
  if (found) return found;
  const lines = ENDPOINT_LINES[kind]!.trim().split('\n');
  const endpoints = lines.flatMap((line): readonly Endpoint[] => {
    const [path, letters] = line.split(' ') as [string, string];
    const capabilities = [...letters].map((letter) => BY_LETTER[letter]!);
    const endpoint = { pattern: patternOf(path), capabilities };
    // The path of a request that lists ends with a slash.
    const listing = { pattern: patternOf(`${path}/`), capabilities: ['list'] as const };
    return letters.includes('l') && !path.endsWith('*') ? [endpoint, listing] : [endpoint];
  });
  ENDPOINTS.set(kind, endpoints);
  return endpoints;
}

/** Returns the only segment that differs from an endpoint, if it is spelled like that one's. */
function misspeltSegment(
  own: PathPattern,
  endpoint: PathPattern,
): { readonly index: number; readonly correct: string } | undefined {
  const [length, other] = [own.segments.length, endpoint.segments.length];
  if (length !== other && !(length > other ? endpoint : own).isPrefix) return undefined;
  let found: { readonly index: number; readonly correct: string } | undefined;
  for (let index = 0; index < Math.min(length, other); index++) {
    const written = own.segments[index]!;
    const { text, open } = endpoint.segments[index]!;
    if (open || (written.open ? text.startsWith(written.text) : text === written.text)) continue;
    const isName = !written.open && /^[\w.-]+$/.test(written.text);
    const isSpelt = isName && written.text.length >= SHORTEST_NAME && text !== '';
    const letters = written.text.length < SHORT ? FEW_LETTERS.short : FEW_LETTERS.long;
    if (found || !isSpelt || nearestOf(written.text, [text], letters) === undefined) return undefined;
    found = { index, correct: text };
  }
  return found;
}
