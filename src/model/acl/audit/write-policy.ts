import { groupsBy } from '../../groups';
import { Acl, capabilityFor } from '../acl';
import { ACL_CAPABILITIES, type AclCapability } from '../policy';
import { renderAclPolicy, type AclRuleSource } from '../render';
import { Effort, stepsToCut, UNCOUNTED } from '../effort';
import { isRootPath } from '../reasoning/root-paths';
import { isTemplated } from '../template';
import { kindOfPath } from '../wildcard-path';
import type { Use } from './uses';

export interface WritingOptions {
  /** The namespace of the policy: empty for root, else `ns1/`. The rules do not contain it. */
  readonly namespace?: string;
  /**
   * The number of paths that differ only in one segment, from which on one rule with `+` is written
   * for them. Default: such a rule is never written.
   */
  readonly mergeFrom?: number;
  /** Whether rules allow only the parameters that were sent. Default: any parameter. */
  readonly parameters?: boolean;
}

/** A rule, and the number of logged requests or paths that it allows. */
export interface WrittenRule {
  readonly rule: AclRuleSource;
  /**
   * The number of requests if the caller gave the pattern of the rule; for other rules, the number
   * of paths.
   */
  readonly used: number;
  readonly of: 'paths' | 'requests';
}

export interface WrittenPolicy {
  readonly text: string;
  readonly rules: readonly AclRuleSource[];
  /**
   * The rules that allow more than the logged requests. Every other rule names one path, and grants
   * the operations that were logged for it.
   */
  readonly general: readonly WrittenRule[];
  /**
   * The paths that no rule can name, because they look like patterns or templates, or contain
   * control characters.
   */
  readonly unwritable: readonly string[];
}

/** The mounts within which a `+` would stand for endpoints instead of names. */
const NEVER_MERGED = ['sys', 'auth', 'identity'];
/** The sections of a KV 2 mount. They have different meanings, so they are never joined. */
const SECTIONS = ['data', 'metadata', 'delete', 'undelete', 'destroy', 'subkeys', 'config'];
/** HCL reads `${` as an expression. No intended path has control characters. */
const UNWRITABLE = /\$\{|\p{Cc}/u;

/**
 * Writes a policy that allows the logged requests, and nothing else except by the rules that the
 * options permit.
 *
 * @param patterns the uses of the patterns that the caller gave.
 * @throws TooComplexError if merging paths takes more steps than the limit for the length of the
 * paths.
 */
export function writePolicyFor(
  uses: readonly Use[],
  patterns: readonly string[],
  options: WritingOptions = {},
): WrittenPolicy {
  const { namespace = '', mergeFrom = Infinity, parameters = false } = options;
  const given = uses.filter(({ path }) => patterns.includes(path));
  const others = uses.filter(({ path }) => !patterns.includes(path));
  const exact = others.filter(isWritable);
  const forPattern = (use: Use): WrittenRule => ({
    rule: ruleOf(use, namespace, parameters),
    used: use.count,
    of: 'requests',
  });
  const forPath = (use: Use): WrittenRule => ({
    rule: ruleOf(use, namespace, parameters),
    used: 1,
    of: 'paths',
  });
  const paths = exact.map(forPath);
  const chosen = [...given.map(forPattern), ...(mergeFrom === Infinity ? paths : merged(paths, mergeFrom))];
  const written = [...chosen, ...refusedUses(exact, chosen, namespace).map(forPath)].sort((a, b) =>
    a.rule.path < b.rule.path ? -1 : 1,
  );
  const rules = written.map(({ rule }) => rule);
  return {
    text: renderAclPolicy(rules),
    rules,
    general: written.filter(({ rule }) => kindOfPath(rule.path) !== 'exact'),
    unwritable: others.filter((use) => !isWritable(use)).map(({ path }) => path),
  };
}

function isWritable({ path }: Use): boolean {
  return kindOfPath(path) === 'exact' && !isTemplated(path) && !UNWRITABLE.test(path);
}

/**
 * Returns the uses that the written rules would refuse. Only one of the rules that match a path
 * decides on it, so a joined rule may take the place of a rule that grants more.
 */
function refusedUses(
  uses: readonly Use[],
  written: readonly WrittenRule[],
  namespace: string,
): readonly Use[] {
  const rules = written.map(({ rule: { path, capabilities } }) => ({ path: namespace + path, capabilities }));
  const acl = new Acl([{ namespace: '', rules }]);
  return uses.filter(({ path, operations }) =>
    [...operations].some((operation) => !acl.allow({ operation, path }).allowed),
  );
}

function ruleOf(
  { path, operations, parameters: sent }: Use,
  namespace: string,
  parameters: boolean,
): AclRuleSource {
  const within = path.startsWith(namespace) ? path.slice(namespace.length) : path;
  const needed = new Set<AclCapability>([...operations].map(capabilityFor));
  if (isRootPath(within, UNCOUNTED)) needed.add('sudo');
  const names = [...sent].sort();
  return {
    path: within,
    capabilities: ACL_CAPABILITIES.filter((capability) => needed.has(capability)),
    ...(parameters &&
      names.length > 0 && { allowedParameters: Object.fromEntries(names.map((name) => [name, []])) }),
  };
}

/**
 * Joins rules that grant the same on paths that differ in one segment, as long as enough of them
 * can be joined.
 */
function merged(rules: readonly WrittenRule[], mergeFrom: number): readonly WrittenRule[] {
  const effort = Effort.for([{ names: [], characters: lengthOf(rules) }]);
  let current = rules;
  for (let at = deepest(current); at > 0;) {
    effort.spend(stepsToCut(current.length, lengthOf(current)));
    const next = mergedAt(at, current, mergeFrom);
    // Joined rules may be joined with others at a later segment.
    at = next.length < current.length ? deepest(next) : at - 1;
    current = next;
  }
  return current;
}

function lengthOf(rules: readonly WrittenRule[]): number {
  return rules.reduce((sum, { rule }) => sum + rule.path.length, 0);
}

function deepest(rules: readonly WrittenRule[]): number {
  return rules.reduce((most, { rule }) => Math.max(most, rule.path.split('/').length - 1), 0);
}

function mergedAt(at: number, rules: readonly WrittenRule[], mergeFrom: number): readonly WrittenRule[] {
  const keyOf = ({ rule: { path, capabilities, allowedParameters } }: WrittenRule) =>
    JSON.stringify([patternAt(at, path), capabilities, allowedParameters]);
  return groupsBy(rules, keyOf).flatMap((group) => {
    const [{ rule, of }] = group;
    const pattern = patternAt(at, rule.path);
    if (group.length < mergeFrom) return group;
    return [{ rule: { ...rule, path: pattern }, used: group.reduce((sum, { used }) => sum + used, 0), of }];
  });
}

/** Returns the path with a `+` for a segment, or the path itself if that segment is not a name. */
function patternAt(at: number, path: string): string {
  const segments = path.split('/');
  const segment = segments[at] ?? '';
  const isName = segment !== '' && !(at === 1 && SECTIONS.includes(segment));
  if (!isName || NEVER_MERGED.includes(segments[0]!)) return path;
  return [...segments.slice(0, at), '+', ...segments.slice(at + 1)].join('/');
}
