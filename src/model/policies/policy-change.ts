import {
  AclPolicyError,
  AclPolicySet,
  checksMissing,
  diffPolicySets,
  Effort,
  groupChanges,
  isWidening,
  OPEN_PATHS,
  parseAclPolicy,
  patternOf,
  sensitiveChanges,
  TooComplexError,
  type AclChange,
  type AclChangeGroup,
  type SensitiveChange,
} from '../acl';
import { parsedPolicy } from './parsed-policy';
import { atMost, changeByNewPolicy, shortened, type PolicyChange } from './plain-policy';
import { policyText } from './policy-text';
import { SHIPPED_DEFAULT_POLICY } from './default-policy';

/**
 * The most steps for one comparison. The limit is low, because nothing else in the process runs
 * during a comparison.
 */
export const STEPS_OF_A_CHANGE = 500_000;

const MOST_LISTED = 3;

/**
 * Compares two texts of one policy. Each may be in base64.
 *
 * @param before absent if the policy did not exist.
 * @param shared the steps that comparisons of several policies may take together.
 * @returns `undefined` if one of the texts cannot be parsed; `'too complex'` if the comparison
 * would take too many steps.
 */
export function policyChange(
  before: string | undefined,
  after: string,
  shared?: Effort,
): PolicyChange | 'too complex' | undefined {
  if (before === undefined) {
    const plain = changeByNewPolicy(after);
    if (plain) return plain;
  }
  // The new text comes first, because the rules have just parsed it.
  const now = setOf(after);
  const old = setOf(before ?? '');
  if (!old || !now) return undefined;
  try {
    const { changes, sensitive } = comparePolicySets(
      old,
      now,
      Effort.for([old, now], shared, STEPS_OF_A_CHANGE),
    );
    return {
      allowed: shortLines(changes.filter(isWidening)),
      denied: shortLines(changes.filter((change) => !isWidening(change))),
      sensitive,
    };
  } catch (error) {
    if (error instanceof TooComplexError) return 'too complex';
    throw error;
  }
}

/**
 * Compares two sets of policies. Paths that servers do not accept are left out.
 *
 * @throws TooComplexError if it takes more steps than `effort` has. Default: the limit for the
 * length of the policies.
 */
export function comparePolicySets(
  old: AclPolicySet,
  now: AclPolicySet,
  effort = Effort.for([old, now]),
): { readonly changes: readonly AclChange[]; readonly sensitive: readonly SensitiveChange[] } {
  const changes = diffPolicySets(old, now, effort).filter(({ untidy }) => !untidy);
  return { changes, sensitive: sensitiveChanges(changes, old, now, harmlessPaths(), effort) };
}

function setOf(text: string): AclPolicySet | undefined {
  const policy = parsedPolicy(policyText(text));
  return policy instanceof AclPolicyError ? undefined : new AclPolicySet([{ name: 'policy', policy }]);
}

let harmless: ReturnType<typeof patternOf>[] | undefined;

/** Returns the paths that every token may use, and those that need no token. */
function harmlessPaths(): ReturnType<typeof patternOf>[] {
  const ofEveryToken = () => parseAclPolicy(SHIPPED_DEFAULT_POLICY).rules.map(({ path }) => path);
  harmless ??= [...ofEveryToken(), ...OPEN_PATHS].map(patternOf);
  return harmless;
}

function shortLines(changes: readonly AclChange[]): readonly string[] {
  return atMost([...new Set(groupChanges(changes).map(shortLine))]);
}

/** Returns a group of changes in one line: `read, update on secret/data/prod/*`. */
export function shortLine(changes: AclChangeGroup): string {
  const [change] = changes;
  const { pattern, except, partly } = change;
  const operations = changes.map(({ operation }) => operation).join(', ');
  const part = partly ? ', for some parameters or wrapping TTLs' : '';
  return `${operations} on ${shortened(pattern)}${exceptions(except)}${part}${checksText(change)}`;
}

/** Returns a text about the changes of further checks. */
function checksText({ becomes, checks = { before: [], after: [] } }: AclChange): string {
  const { before, after } = checks;
  switch (becomes) {
    case 'allowed':
      return after.length > 0 ? `, which must also pass ${listed(after, '; ')}` : '';
    case 'denied':
      return '';
    case 'less-checked':
      return `, which no longer has to pass ${listed(checksMissing(before, after), '; ')}`;
    case 'more-checked':
      return `, unless it passes ${listed(checksMissing(after, before), '; ')}`;
  }
}

function exceptions(except: readonly string[]): string {
  return except.length === 0 ? '' : ` except ${listed(except, ', ')}`;
}

function listed(texts: readonly string[], separator: string): string {
  const shown = texts.slice(0, MOST_LISTED).map(shortened).join(separator);
  const others = texts.length - MOST_LISTED;
  return `${shown}${others > 0 ? ` and ${others} more` : ''}`;
}
