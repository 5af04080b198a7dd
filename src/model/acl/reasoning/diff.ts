import type { AclRequest } from '../acl';
import { ClauseIndex } from './clause-index';
import { checksFor } from './further-checks';
import {
  FreshTexts,
  type PathPattern,
  contains,
  intersect,
  overlap,
  pathOutside,
  patternKey,
  patternText,
  readPatternText,
} from './pattern';
import type { Permitted } from './parameter-values';
import { Effort } from './effort';
import { AclPolicySet, type Clause, type ClauseMode, type MergedRule } from './policy-set';
import { earlierWithin, Surroundings, type Indexes, type Placed } from './surroundings';
import {
  capabilityOf,
  COMPARED_OPERATIONS,
  findCommon,
  findDifference,
  permitsAny,
  type ComparedOperation,
  type RequestDetails,
} from './request-difference';

/** Requests that one set of policies permits and another does not, or that both permit and check differently further on. */
export interface AclChange {
  readonly operation: ComparedOperation;
  /**
   * `less-checked`: a control group, MFA method or limit of event types no longer applies. `more-checked`: only new ones
   * apply.
   */
  readonly becomes: 'allowed' | 'denied' | 'less-checked' | 'more-checked';
  /** What the requests must pass besides, under the old and the new set. Absent if it is nothing under both. */
  readonly checks?: AclChangedChecks;
  /** Paths that are concerned, as a rule would name them. Those of lists end with the slash that the server adds. */
  readonly pattern: string;
  /** Paths within the pattern that are not. */
  readonly except: readonly string[];
  /** Whether it is about certain parameters or wrapping TTLs only: other requests for the paths are decided as before. */
  readonly partly: boolean;
  /**
   * Whether only paths with empty segments, `.` or `..` are concerned. Servers from 1.19.16, 1.20.10, 1.21.5 and 2.0.0 on
   * do not carry out requests for such paths.
   */
  readonly untidy: boolean;
  /** A request that is concerned: tried under both sets. */
  readonly witness: AclRequest;
  /** The rule that decides under the old set, and under the new set. */
  readonly before: MergedRule | undefined;
  readonly after: MergedRule | undefined;
}

export interface AclChangedChecks {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Whether a change allows more than before. */
export function isWidening({ becomes }: AclChange): boolean {
  return becomes === 'allowed' || becomes === 'less-checked';
}

/**
 * Finds everything that a change of policies makes possible or impossible.
 *
 * The paths are divided by the pair of rules that decide on them, one of each set. For each pair of rules that permit
 * different requests it is decided whether any path is left to it by the rules that come before: no change is missed,
 * and none is made up.
 *
 * @throws TooComplexError if it takes more than the effort given. Default: no limit.
 */
export function diffPolicySets(
  before: AclPolicySet,
  after: AclPolicySet,
  effort = new Effort(Infinity),
): readonly AclChange[] {
  const changes = changesOf('path', before, after, effort);
  // A path's `sudo` counts for its list as well, unless another rule decides on that.
  const ofLists = changesOf('list', before, after, effort).filter(
    (change) => change.operation === 'list' || !changes.some((other) => isSameSudo(other, change)),
  );
  return [...changes, ...ofLists].sort(
    (a, b) =>
      compareTexts(a.pattern, b.pattern) ||
      COMPARED_OPERATIONS.indexOf(a.operation) - COMPARED_OPERATIONS.indexOf(b.operation),
  );
}

function isSameSudo(a: AclChange, b: AclChange): boolean {
  return a.operation === 'sudo' && a.becomes === b.becomes && a.before === b.before && a.after === b.after;
}

/** Whether everything that `set` permits is permitted by `other` as well, with no further checks. */
export function isSubset(set: AclPolicySet, other: AclPolicySet): boolean {
  return !diffPolicySets(other, set).some(isWidening);
}

/** Whether two sets permit the same, with the same further checks. */
export function isEqual(a: AclPolicySet, b: AclPolicySet): boolean {
  return diffPolicySets(a, b).length === 0;
}

/**
 * What a set permits: how it differs from one that permits nothing.
 *
 * @param under a path: only paths that begin with this.
 */
export function permittedBy(set: AclPolicySet, under = ''): readonly AclChange[] {
  const wanted = readPatternText(`${under.replace(/^\/+/, '')}*`);
  return diffPolicySets(new AclPolicySet([], set.options), set).filter(({ pattern }) =>
    overlap(readPatternText(pattern), wanted),
  );
}

/** The paths that two clauses decide on, one of each set. */
interface Region extends Placed {
  readonly before: Clause | undefined;
  readonly after: Clause | undefined;
  readonly differences: readonly Difference[];
  /** The kinds of its differences. */
  readonly kinds: ReadonlySet<string>;
  /** A path of the region. Only looked for if there are differences. */
  readonly path?: string;
}

interface Difference {
  readonly operation: ComparedOperation;
  readonly becomes: AclChange['becomes'];
  readonly partly: boolean;
  readonly checks?: AclChangedChecks;
  readonly details: RequestDetails;
}

function changesOf(
  mode: ClauseMode,
  before: AclPolicySet,
  after: AclPolicySet,
  effort: Effort,
): readonly AclChange[] {
  const old = before.clauses(mode);
  const now = after.clauses(mode);
  const fresh = new FreshTexts([...old, ...now].map(({ pattern }) => pattern));
  const indexes: Indexes = { old: new ClauseIndex(old), now: new ClauseIndex(now) };
  const regions = regionsOf(mode, before, after, indexes, fresh, effort);
  const kinds = new Map<string, Difference>();
  for (const { differences } of regions) for (const each of differences) kinds.set(kindOf(each), each);
  const described = new Map<string, readonly Described[]>();
  const surroundings = new Surroundings(regions, indexes, fresh, effort);
  return [...kinds].flatMap(([kind, { operation, becomes, partly, checks }]) => {
    const isConcerned = (region: Region) => region.kinds.has(kind);
    const concerned = regions.filter(isConcerned);
    const key = concerned.map(({ rank }) => rank.join()).join(' ');
    const known = described.get(key);
    const all = known ?? joinFolders(describe(concerned, isConcerned, surroundings, effort), mode);
    described.set(key, all);
    return all.map(({ region, except, withFolder }): AclChange => {
      const details = region.differences.find((each) => kindOf(each) === kind)?.details ?? {};
      const witness: AclRequest = {
        operation: requestOperation(operation, mode),
        path: region.path ?? '',
        ...details,
      };
      confirm(operation, becomes, witness, before, after);
      return {
        operation,
        becomes,
        ...(checks && { checks }),
        pattern: withFolder ? patternText(region.pattern) : textOf(region.pattern, mode),
        except: textsOf(except, mode),
        partly,
        untidy: isUntidy(witness.path),
        witness,
        before: region.before?.rule,
        after: region.after?.rule,
      };
    });
  });
}

function kindOf({ operation, becomes, partly, checks }: Difference): string {
  return `${operation} ${becomes} ${partly}${checks ? JSON.stringify(checks) : ''}`;
}

function isUntidy(path: string): boolean {
  return /\/\/|(^|\/)\.\.?(\/|$)/.test(path);
}

function requestOperation(operation: ComparedOperation, mode: ClauseMode): AclRequest['operation'] {
  if (mode === 'list') return 'list';
  return operation === 'sudo' || operation === 'subscribe' ? 'read' : operation;
}

/** A witness that the evaluator does not confirm would be a fault of this module, and is never shown. */
function confirm(
  operation: ComparedOperation,
  becomes: AclChange['becomes'],
  witness: AclRequest,
  before: AclPolicySet,
  after: AclPolicySet,
): void {
  const expected = { before: becomes !== 'allowed', after: becomes !== 'denied' };
  const isConfirmed =
    permits(before, operation, witness) === expected.before &&
    permits(after, operation, witness) === expected.after;
  if (isConfirmed) return;
  throw new Error(`the difference at ${witness.operation} ${witness.path} could not be confirmed`);
}

function permits({ acl }: AclPolicySet, operation: ComparedOperation, witness: AclRequest): boolean {
  if (operation === 'subscribe') return acl.capabilities(witness.path).includes('subscribe');
  const { allowed, sudo } = acl.allow(witness);
  return operation === 'sudo' ? sudo : allowed;
}

function regionsOf(
  mode: ClauseMode,
  before: AclPolicySet,
  after: AclPolicySet,
  indexes: Indexes,
  fresh: FreshTexts,
  effort: Effort,
): readonly Region[] {
  const old = before.clauses(mode);
  const now = after.clauses(mode);
  const compare = comparison(mode, before, after);
  const regions: Region[] = [];
  for (let i = 0; i <= old.length; i++) {
    const a = old[i];
    effort.spend(now.length);
    const candidates = a ? indexes.now.near(a.pattern) : now.keys();
    for (const j of [...candidates, now.length]) {
      const b = now[j];
      const pattern = a && b ? intersect(a.pattern, b.pattern) : (a ?? b)?.pattern;
      if (!pattern) continue;
      const { differences, kinds } = compare(a?.rule, b?.rule);
      const region = { pattern, before: a, after: b, rank: [i, j] as const, differences, kinds };
      if (differences.length === 0) {
        regions.push(region);
        continue;
      }
      const segments = pathOutside(pattern, earlierWithin({ pattern, rank: [i, j] }, indexes, effort), fresh);
      if (!segments) continue;
      regions.push({ ...region, path: segments.join('/') + (mode === 'list' ? '/' : '') });
    }
  }
  return regions;
}

interface Compared {
  readonly differences: readonly Difference[];
  readonly kinds: ReadonlySet<string>;
}

/** Compares what two rules permit, each pair of permissions once: most rules of a set permit the same on other paths. */
function comparison(
  mode: ClauseMode,
  before: AclPolicySet,
  after: AclPolicySet,
): (a: MergedRule | undefined, b: MergedRule | undefined) => Compared {
  const operations = mode === 'list' ? (['list', 'sudo'] as const) : OTHER_OPERATIONS;
  const known = new Map<number, Compared>();
  const numberOf = numbered();
  return (a, b) => {
    const pair = numberOf(a) * MOST_RULES + numberOf(b);
    const found = known.get(pair);
    if (found) return found;
    const [old, now] = [before.permitted(a), after.permitted(b)];
    const differences = operations.flatMap((operation) => [
      ...difference(operation, 'allowed', now, old),
      ...difference(operation, 'denied', old, now),
      ...checkDifference(operation, old, now),
    ]);
    const compared = { differences, kinds: new Set(differences.map(kindOf)) };
    known.set(pair, compared);
    return compared;
  };
}

const MOST_RULES = 2 ** 24;

/** Numbers rules: those that permit the same have the same number. */
function numbered(): (rule: MergedRule | undefined) => number {
  const numbers = new Map<MergedRule, number>();
  const byPermissions = new Map<string, number>();
  return (rule) => {
    if (!rule) return 0;
    const known = numbers.get(rule);
    if (known !== undefined) return known;
    const text = textOfPermissions(rule);
    const number = byPermissions.get(text) ?? byPermissions.size + 1;
    byPermissions.set(text, number);
    numbers.set(rule, number);
    return number;
  };
}

function textOfPermissions({ permissions, checks }: MergedRule): string {
  const { capabilities, allowedParameters, deniedParameters, ...rest } = permissions;
  const others = [...capabilities].sort();
  return JSON.stringify([others, [...allowedParameters], [...deniedParameters], rest, checks]);
}

const OTHER_OPERATIONS = COMPARED_OPERATIONS.filter((operation) => operation !== 'list');

function difference(
  operation: ComparedOperation,
  becomes: 'allowed' | 'denied',
  permitting: Permitted | undefined,
  refusing: Permitted | undefined,
): readonly Difference[] {
  const details = findDifference(operation, permitting, refusing);
  if (!details) return [];
  const checks = checksOf(operation, permitting);
  const changed = becomes === 'allowed' ? { before: [], after: checks } : { before: checks, after: [] };
  const partly = permitsAny(operation, refusing);
  return [{ operation, becomes, partly, details, ...(checks.length > 0 && { checks: changed }) }];
}

/** How requests that both permit are checked differently. */
function checkDifference(
  operation: ComparedOperation,
  old: Permitted | undefined,
  now: Permitted | undefined,
): readonly Difference[] {
  if (!old || !now) return [];
  const checks = { before: checksOf(operation, old), after: checksOf(operation, now) };
  if (checks.before.join('\n') === checks.after.join('\n')) return [];
  const details = findCommon(operation, old, now);
  if (!details) return [];
  const isLess = checks.before.some((check) => !checks.after.includes(check));
  const becomes = isLess ? 'less-checked' : 'more-checked';
  return [{ operation, becomes, partly: false, details, checks }];
}

function checksOf(operation: ComparedOperation, permitted: Permitted | undefined): readonly string[] {
  const checks = permitted?.checks ?? [];
  return checks.length === 0 ? [] : checksFor(checks, capabilityOf(operation));
}

interface Described {
  readonly region: Region;
  readonly except: readonly PathPattern[];
  /** Of a list: whether the folder whose content the pattern names belongs to it. */
  readonly withFolder?: boolean;
}

/**
 * Describes regions by patterns and exceptions: as few patterns as the rules make plain. A rule that comes before makes
 * an exception only if paths within it are not concerned.
 */
function describe(
  concerned: readonly Region[],
  isConcerned: (region: Region) => boolean,
  surroundings: Surroundings<Region>,
  effort: Effort,
): readonly Described[] {
  const all = concerned.map((region): Described => {
    const isConcernedThroughout = (exception: PathPattern) =>
      !surroundings
        .neighbours(region)
        .some((other) => !isConcerned(other) && surroundings.reaches(exception, other));
    const exceptions = surroundings.exceptions(region).filter((each) => !isConcernedThroughout(each));
    effort.spend(exceptions.length ** 2);
    return { region, except: largest(exceptions) };
  });
  const kept: Described[] = [];
  for (const each of [...all].sort(widerFirst)) {
    effort.spend(kept.length);
    if (!kept.some((other) => covers(other, each))) kept.push(each);
  }
  return kept;
}

/** A pattern that contains another one comes before it. */
function widerFirst({ region: { pattern: a } }: Described, { region: { pattern: b } }: Described): number {
  return (
    a.segments.length - b.segments.length ||
    Number(b.isPrefix) - Number(a.isPrefix) ||
    textLength(a) - textLength(b) ||
    openSegments(b) - openSegments(a)
  );
}

function textLength({ segments }: PathPattern): number {
  return segments.reduce((length, { text }) => length + text.length, 0);
}

function openSegments({ segments }: PathPattern): number {
  return segments.filter(({ open }) => open).length;
}

/** Whether `wide` speaks of all paths of `narrow`. */
function covers(wide: Described, narrow: Described): boolean {
  if (!contains(wide.region.pattern, narrow.region.pattern)) return false;
  return wide.except.every((exception) => {
    const common = intersect(exception, narrow.region.pattern);
    return !common || narrow.except.some((other) => contains(other, common));
  });
}

function largest(patterns: readonly PathPattern[]): readonly PathPattern[] {
  return patterns.filter(
    (pattern, index) =>
      !patterns.some(
        (other, at) => at !== index && contains(other, pattern) && (at < index || !contains(pattern, other)),
      ),
  );
}

/** Speaks of a folder and of all below it at once, as rules do: `secret/` and `secret/+/*` are `secret/*`. */
function joinFolders(all: readonly Described[], mode: ClauseMode): readonly Described[] {
  if (mode === 'path') return all;
  const folders = new Map<string, Described>();
  for (const each of all) if (each.except.length === 0) folders.set(patternKey(each.region.pattern), each);
  const joined = new Set<Described>();
  const result = all.map((each) => {
    const folder = folderOf(each.region.pattern);
    const found = folder && folders.get(patternKey(folder));
    if (!found) return each;
    joined.add(found);
    return { ...each, withFolder: true };
  });
  return result.filter((each) => !joined.has(each));
}

function textsOf(patterns: readonly PathPattern[], mode: ClauseMode): readonly string[] {
  if (mode === 'path') return patterns.map(patternText);
  const all = new Set(patterns.map(patternKey));
  const joined = new Set<string>();
  const texts = patterns.map((pattern) => {
    const folder = folderOf(pattern);
    const key = folder && patternKey(folder);
    if (key === undefined || !all.has(key)) return { pattern, text: textOf(pattern, mode) };
    joined.add(key);
    return { pattern, text: patternText(pattern) };
  });
  return texts.filter(({ pattern }) => !joined.has(patternKey(pattern))).map(({ text }) => text);
}

/** The folder whose whole content a pattern names. */
function folderOf({ segments, isPrefix }: PathPattern): PathPattern | undefined {
  const isContent = isPrefix && segments.length > 1 && segments.at(-1)?.text === '';
  return isContent ? { segments: segments.slice(0, -1), isPrefix: false } : undefined;
}

/** Names lists by what the server sees: the folder with its final slash. */
function textOf(pattern: PathPattern, mode: ClauseMode): string {
  if (mode === 'path') return patternText(pattern);
  const folder = folderOf(pattern);
  if (folder) return `${patternText(folder)}/+/*`;
  return pattern.isPrefix ? patternText(pattern) : `${patternText(pattern)}/`;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
