import type { AclCapability } from '../policy';
import type { Effort } from '../effort';
import { contains, overlap, patternOf, type PathPattern } from '../reasoning/pattern';
import { nearestOf } from '../../../text';
import { endpointsOf, type Endpoint, type Endpoints } from './endpoints';
import { mountOf, type Mounts } from './mounts';

/** An endpoint with its full path. */
export interface KnownEndpoint {
  readonly path: string;
  readonly capabilities: readonly AclCapability[];
}

/** The endpoints of the mount that a path is on, and the path below the mount. */
interface EndpointsBeside {
  readonly mount: string;
  readonly below: readonly string[];
  readonly own: PathPattern;
  readonly endpoints: Endpoints;
}

const WRITES = ['create', 'update', 'patch'] as const;

/** The name with which the path of a mount's settings ends. */
const TUNE = 'tune';

const SHORTEST_NAME = 3;
/**
 * The most letters in which a misspelt name differs from the right one, for short names and for
 * longer ones.
 */
const FEW_LETTERS = { short: 1, long: 2 };
const SHORT = 4;

/**
 * Returns the paths of endpoints that were probably meant by a path: they differ from it in one
 * misspelt segment.
 */
export function endpointsMeantBy(path: string, mounts: Mounts, effort: Effort): readonly string[] {
  const beside = endpointsBeside(path, mounts);
  if (!beside) return [];
  const { mount, below, own, endpoints } = beside;
  const { byFirst, open, all } = endpoints;
  const possible = reached(beside, effort);
  if (possible.length > 0) {
    const other = otherSpelling(own, possible, endpoints) ?? misspeltTune(mount, own);
    return other ? [[mount, ...below.with(other.index, other.correct)].join('/')] : [];
  }
  // If the first segment is the name of endpoints, the misspelt segment is another one.
  const beginning = byFirst.get(own.segments[0]!.text);
  const meant = (beginning ? [...beginning, ...open] : all).flatMap(({ pattern }) => {
    const found = misspeltSegment(own, pattern, effort);
    return found ? [[mount, ...below.with(found.index, found.correct)].join('/')] : [];
  });
  return [...new Set(meant)];
}

/** Returns the endpoints that serve requests for a path, with their full paths. */
export function endpointsAt(path: string, mounts: Mounts, effort: Effort): readonly KnownEndpoint[] {
  const beside = endpointsBeside(path, mounts);
  const found = new Map<string, Set<AclCapability>>();
  for (const endpoint of beside ? reached(beside, effort) : []) {
    const full = `${beside!.mount}/${endpoint.path}`;
    found.set(full, new Set([...(found.get(full) ?? []), ...endpoint.capabilities]));
  }
  return Array.from(found, ([full, capabilities]) => ({ path: full, capabilities: [...capabilities] }));
}

/**
 * Returns the paths of endpoints below a path that has no endpoint itself: one for each name that
 * follows the path.
 */
export function endpointsBelow(path: string, mounts: Mounts, effort: Effort): readonly string[] {
  const beside = endpointsBeside(path, mounts);
  if (!beside || beside.own.segments.some(({ open }) => open) || reached(beside, effort).length > 0)
    return [];
  const { mount, own, endpoints } = beside;
  const written = own.segments.map(({ text }) => text);
  const below = (endpoints.byFirst.get(written[0]!) ?? []).filter(
    ({ pattern: { segments } }) =>
      segments.length > written.length &&
      written.every((text, index) => segments[index]!.open || segments[index]!.text === text),
  );
  const restOf = ({ path: full }: Endpoint) => full.split('/').slice(written.length).join('/');
  const byName = new Map<string, string>();
  for (const each of below) {
    const rest = restOf(each);
    const name = rest.split('/')[0]!;
    if (!byName.has(name)) byName.set(name, [mount, ...written, rest].join('/'));
  }
  return [...byName.values()];
}

/** Whether all operations of the endpoints for a path need `update` and no other capability. */
export function isOnlyUpdated(path: string, mounts: Mounts, effort: Effort): boolean {
  const beside = endpointsBeside(path, mounts);
  const endpoints = beside ? reached(beside, effort) : [];
  return (
    endpoints.every(({ capabilities }) => capabilities.join() === 'update') &&
    endpoints.some(({ pattern }) => contains(pattern, beside!.own, effort))
  );
}

/**
 * Whether a read of a path returns the names of the objects below it, because the path has no list.
 */
export function isListedByRead(path: string, mounts: Mounts, effort: Effort): boolean {
  const beside = endpointsBeside(path, mounts);
  const endpoints = beside ? reached(beside, effort) : [];
  const folder = endpoints.length === 1 ? endpoints[0]! : undefined;
  if (!folder?.capabilities.includes('read') || folder.capabilities.includes('list')) return false;
  const objects = [`${folder.path}/+`, `${folder.path}/*`];
  return beside!.endpoints.all.some(
    (each) => objects.includes(each.path) && each.capabilities.includes('delete'),
  );
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
  const found = mountOf(path, mounts);
  const endpoints = found && endpointsOf(found.kind);
  const rest = found?.rest.replace(/\/$/, '') ?? '';
  if (!found || !endpoints || rest === '') return undefined;
  return { mount: found.mount, below: found.rest.split('/'), own: patternOf(rest), endpoints };
}

/**
 * Returns a segment of a path that is probably a misspelt name: it stands for a parameter of all
 * endpoints that match the path, but is also the name of another endpoint with `_` for `-`, or in
 * another case.
 */
function otherSpelling(
  own: PathPattern,
  possible: readonly Endpoint[],
  { byFirst }: Endpoints,
): { readonly index: number; readonly correct: string } | undefined {
  const names = byFirst.get(own.segments[0]!.text) ?? [];
  for (const [index, { text, open }] of own.segments.entries()) {
    const isParameter = possible.every(({ pattern }) => pattern.segments[index]?.open);
    if (index === 0 || open || !isParameter || !/[-_]/.test(text)) continue;
    const found = names.find(({ pattern: { segments } }) => {
      const other = segments[index];
      const isAlike = other && !other.open && other.text !== text && spelling(other.text) === spelling(text);
      return (
        isAlike &&
        segments.slice(0, index).every((each, at) => each.open || each.text === own.segments[at]!.text)
      );
    });
    if (found) return { index, correct: found.pattern.segments[index]!.text };
  }
  return undefined;
}

/**
 * Returns the last segment of a path below `sys/auth/` or `sys/mounts/` if it is probably a
 * misspelt `tune`. Paths of mounts have any number of segments, so the endpoint of the mount
 * matches it.
 */
function misspeltTune(
  mount: string,
  { segments }: PathPattern,
): { readonly index: number; readonly correct: string } | undefined {
  const index = segments.length - 1;
  const { text, open } = segments[index]!;
  const isBelowMount = mount === 'sys' && index >= 2 && /^(?:auth|mounts)$/.test(segments[0]!.text);
  if (!isBelowMount || open || text === TUNE || text.length < SHORTEST_NAME) return undefined;
  const correct = nearestOf(text, [TUNE], FEW_LETTERS.short);
  return correct === undefined ? undefined : { index, correct };
}

function spelling(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

const SHORTEST_STEM = 5;

/**
 * Whether a name is another name with more letters at its end, such as `encryption` for `encrypt`.
 */
function isLongerForm(name: string, stem: string): boolean {
  return (
    stem.length >= SHORTEST_STEM && name.startsWith(stem) && /^[a-z]{1,7}$/.test(name.slice(stem.length))
  );
}

/**
 * Returns the segment in which a path differs from an endpoint, if it is the only one and a
 * misspelling of the endpoint's segment.
 */
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
    effort.spend(text.length);
    const isForm = singular(written.text) === singular(text) || isLongerForm(written.text, text);
    if (!isForm && nearestOf(written.text, [text], letters) === undefined) return undefined;
    found = { index, correct: text };
  }
  return found;
}
