import fc from 'fast-check';
import {
  parseAclPolicy,
  type ListRule,
  policyChange,
  renderAclPolicy,
  type AclRuleSource,
} from '../../src/model';
import { UNCOUNTED } from '../../src/model/acl/effort';
import {
  AclPolicySet,
  deadRules,
  diffPolicySets,
  isEqual,
  isSubset,
  isWidening,
} from '../../src/model/acl/reasoning';
import { matchesPattern, readPatternText } from '../../src/model/acl/reasoning/pattern';
import { PATHS } from '../model/acl/reasoning/paths';
import { fuzz } from './support/fuzz';

type Operation = (typeof OPERATIONS)[number];
type Diff = typeof diffPolicySets;

const OPERATIONS = ['read', 'update', 'list'] as const;

const RULES: fc.Arbitrary<AclRuleSource> = fc.record({
  path: fc
    .tuple(
      fc.array(fc.constantFrom('a', 'b', 'ab', '', '+'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '*', '/', '/*'),
    )
    .map(([segments, ending]) => segments.join('/') + ending)
    .filter((path) => !path.includes('+*') && !path.startsWith('/')),
  capabilities: fc.oneof(
    { weight: 5, arbitrary: fc.subarray(['read', 'update', 'list', 'sudo'] as const) },
    { weight: 1, arbitrary: fc.constant(['deny'] as const) },
  ),
});
const POLICIES = fc.array(RULES, { maxLength: 5 });
const INPUTS = fc.record({
  before: POLICIES,
  after: POLICIES,
  lists: fc.constantFrom<ListRule[]>('without-slash-first', 'with-slash-first', 'both'),
});

function setOf(rules: readonly AclRuleSource[], lists: ListRule): AclPolicySet {
  const policy = parseAclPolicy(renderAclPolicy(rules));
  return new AclPolicySet([{ name: 'policy', policy }], { lists });
}

function allows({ acl }: AclPolicySet, operation: Operation, path: string): boolean {
  return acl.allow({ operation, path }).allowed;
}

/**
 * Whether a server would receive this request: the path of a list ends with a slash, and that of no
 * other operation does.
 */
function isRequested(operation: Operation, path: string): boolean {
  return (operation === 'list') === path.endsWith('/');
}

fuzz<{ before: AclRuleSource[]; after: AclRuleSource[]; lists: ListRule }, Diff>(
  'each difference of ACL policies is found, and each that is found is real',
  {
    inputs: INPUTS,
    subject: diffPolicySets,
    // The planted fault: it ignores patterns that end with "+" and become denied.
    planted: (before, after) =>
      diffPolicySets(before, after).filter(
        ({ becomes, before: rule }) => becomes === 'allowed' || !rule?.path.endsWith('+'),
      ),
    check(diff, { before: old, after: now, lists }) {
      const [before, after] = [setOf(old, lists), setOf(now, lists)];
      const changes = diff(before, after).map((change) => ({
        ...change,
        pattern: readPatternText(change.pattern),
        except: change.except.map(readPatternText),
      }));
      for (const { operation, becomes, witness } of changes) {
        if (operation === 'sudo') continue;
        const decisions = [before, after].map(({ acl }) => acl.allow(witness).allowed);
        expect(decisions).toEqual(becomes === 'allowed' ? [false, true] : [true, false]);
      }
      for (const operation of OPERATIONS) {
        for (const path of PATHS) {
          if (!isRequested(operation, path)) continue;
          const decided = [allows(before, operation, path), allows(after, operation, path)];
          const segments = path.split('/');
          const found = changes.filter(
            (change) =>
              change.operation === operation &&
              matchesPattern(change.pattern, segments, UNCOUNTED) &&
              !change.except.some((exception) => matchesPattern(exception, segments, UNCOUNTED)),
          );
          const expected = decided[0] === decided[1] ? [] : [decided[1] ? 'allowed' : 'denied'];
          // This does not use expect(), which would take longer than the rest of the check.
          const wrong = found.filter(({ becomes }) => becomes !== expected[0]);
          if (wrong.length > 0 || found.length < expected.length) {
            throw new Error(
              `${operation} ${path}: expected ${expected.join()}, found ${JSON.stringify(found)}`,
            );
          }
        }
      }
    },
  },
);

fuzz<{ before: AclRuleSource[]; after: AclRuleSource[]; lists: ListRule }, typeof isSubset>(
  'subsets, equal sets and rules that never decide agree with the decisions',
  {
    inputs: INPUTS,
    subject: isSubset,
    planted: (set, other) => diffPolicySets(set, other).some(isWidening) || isSubset(set, other),
    check(subset, { before: old, after: now, lists }) {
      const [a, b] = [setOf(old, lists), setOf(now, lists)];
      const isWithin = (set: AclPolicySet, other: AclPolicySet) =>
        diffPolicySets(new AclPolicySet([], set.options), set).every(
          ({ operation, witness }) => operation === 'sudo' || set.acl.allow(witness).allowed,
        ) &&
        OPERATIONS.every((operation) =>
          PATHS.filter((path) => isRequested(operation, path)).every(
            (path) => !allows(set, operation, path) || allows(other, operation, path),
          ),
        );
      if (subset(a, b)) expect(isWithin(a, b)).toBe(true);
      expect(subset(a, b) && subset(b, a)).toBe(isEqual(a, b));
      expect(isEqual(a, setOf([...old].reverse(), lists))).toBe(true);
      for (const dead of deadRules(a)) {
        if (dead.kind !== 'never-decides') continue;
        const without = old.filter(({ path }) => path.replace(/^\//, '') !== dead.rule.path);
        expect(isEqual(a, setOf(without, lists))).toBe(true);
      }
    },
  },
);

const PLAIN_RULES: fc.Arbitrary<AclRuleSource> = fc.record({
  path: fc
    .tuple(
      fc.array(fc.constantFrom('a', 'b', 'ab', '', '+', '.', '..', 'sys', 'auth', 'policy', 'a*b'), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.constantFrom('', '', '*', '/', '/*'),
    )
    .map(([segments, ending]) => segments.join('/') + ending)
    .filter((path) => !path.includes('+*')),
  capabilities: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.subarray(['create', 'read', 'update', 'patch', 'delete', 'list', 'recover'] as const),
    },
    { weight: 1, arbitrary: fc.constantFrom(['deny'] as const, ['sudo'] as const, ['subscribe'] as const) },
  ),
});

fuzz<AclRuleSource[], typeof policyChange>(
  'the summary of a new policy equals the summary of a change from an empty policy',
  {
    inputs: fc.array(PLAIN_RULES, { minLength: 1, maxLength: 3 }),
    subject: policyChange,
    planted: (_, after) => {
      const { rules } = parseAclPolicy(after);
      const lines = rules.flatMap(({ path, capabilities }) => `${capabilities.join(', ')} on ${path}`);
      return { allowed: lines, denied: [], sensitive: [] };
    },
    check(change, rules) {
      const text = renderAclPolicy(rules);
      expect(change(undefined, text)).toEqual(policyChange('', text));
    },
  },
);
