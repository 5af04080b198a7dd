/**
 * Tests examinations of policies and requests that are made to take long. Each examination ends
 * within the steps that the length of its input allows, with a result or an error.
 *
 * @counts-work
 */
import {
  AclPolicySet,
  deadRules,
  diffPolicySets,
  Effort,
  explainRequest,
  findPermitted,
  lintAclPolicy,
  parseAclPolicy,
  permittedBy,
  readAuditLine,
  sensitiveChanges,
  shadowedDenies,
  TooComplexError,
  upgradeImpacts,
  Uses,
  writePolicyFor,
} from '../../../src/model';
import { countedWork } from '../../support/counted-work';

interface Attack {
  readonly before: string;
  readonly after: string;
}

function rules(count: number, rule: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => rule(index)).join('');
}

const granting = (path: string, capability: string, more = '') =>
  `path ${JSON.stringify(path)} {\n capabilities = ["${capability}"]\n ${more}\n}\n`;

/** Returns two texts with the same paths, but different capabilities. */
function paths(count: number, path: (index: number) => string): Attack {
  const [before = '', after = ''] = ['read', 'update'].map((capability) =>
    rules(count, (index) => granting(path(index), capability)),
  );
  return { before, after };
}

function parameters(count: number, glob: (index: number) => string): Attack {
  const globs = Array.from({ length: count }, (_, index) => glob(index));
  const text = (kind: string, ...more: readonly string[]) =>
    granting('a', 'update', `${kind} = { "p" = ${JSON.stringify([...globs, ...more])} }`);
  return {
    before: text('allowed_parameters', 'y') + granting('b', 'update'),
    after: text('allowed_parameters', 'y*') + text('denied_parameters', '*z').replace('"a"', '"b"'),
  };
}

const binary = (index: number, zero: string, one: string) =>
  index.toString(2).padStart(10, '0').replaceAll('1', one).replaceAll('0', zero);
const factor = (index: number) =>
  `factor "f${index}" {\n identity {\n group_names = ["g${index}"]\n approvals = 1\n }\n }`;
/** Returns a control group whose text is too long for maps to compare by a hash. */
const groups = (name: string) =>
  `control_group = {\n factor "f" {\n identity {\n group_names = ${JSON.stringify(
    Array.from({ length: 1_000 }, (_, index) => `group-of-${name}-people-${index}`),
  )}\n approvals = 1\n }\n }\n }`;

const ATTACKS: Readonly<Record<string, Attack>> = {
  '10 globs in a parameter': parameters(10, (index) => `*${index}*`),
  '40 globs in a parameter': parameters(40, (index) => `*a${index}b*`),
  '100 globs in a parameter': parameters(100, (index) => `*${index}x`),
  '100 globs of two letters in a parameter': parameters(100, (index) => `*${binary(index, 'a', 'b')}*`),
  '100 globs with commas and blanks': parameters(100, (index) => `*${index}, ${index},*`),
  'long values': parameters(20, (index) => `*${'a'.repeat(1_000)}${index}`),
  '400 globs': paths(400, (index) => `kv/${index}*`),
  '200 globs that begin alike': paths(200, (index) => `kv/${'a'.repeat(index * 2)}${index}*`),
  '100 prefixes of one another': paths(100, (index) => `kv/${'a'.repeat(index)}*`),
  '128 patterns with "+" at all places': paths(128, (index) => `${binary(index, 'a/', '+/')}*`),
  '128 pairs of patterns that cross': {
    before: rules(128, (index) => granting(`+/${index}/+`, 'read')),
    after: rules(128, (index) => granting(`${index}/+/+`, 'update')),
  },
  '400 equal rules': paths(400, () => 'kv/+/a'),
  '400 equal rules with parameters': {
    before: '',
    after: rules(400, (index) => granting('kv/+', 'update', `allowed_parameters = { "p" = ["*${index}*"] }`)),
  },
  'a path with 1,000 "+"': {
    before: granting('*', 'read'),
    after: granting('*', 'read') + granting(`${'+/'.repeat(1_000)}a`, 'update'),
  },
  'a path with 4,000 segments': { before: '', after: granting(`${'a/'.repeat(4_000)}*`, 'update') },
  '100 denies that others cross': {
    before: rules(100, (index) => granting(`+/${index}*`, 'deny')),
    after: rules(100, (index) => granting(`+/${index}*`, 'deny') + granting(`${index}*`, 'read')),
  },
  'templates in a path of 4 KB': paths(3, (index) => `kv/${'{{identity.entity.id}}a'.repeat(160)}${index}`),
  '100 templates': paths(100, (index) => `kv/{{identity.entity.metadata.a${index}}}/+`),
  '100 control groups': {
    before: rules(100, (index) =>
      granting(`kv/${index}*`, 'read', `control_group = {\n ${factor(index)}\n }`),
    ),
    after: rules(100, (index) =>
      granting(`kv/${index}*`, 'read', `control_group = {\n ${factor(index + 1)}\n }`),
    ),
  },
  '100 factors of a control group': {
    before: granting('kv/*', 'read'),
    after: granting('kv/*', 'read', `control_group = {\n ${rules(100, factor)}\n }`),
  },
  'a control group of 1,000 groups that other rules lack': {
    before: granting('*', 'read', groups('old')),
    after: granting('*', 'read') + rules(300, (index) => granting(`kv/${index}*`, 'read')),
  },
  'control groups of 1,000 groups on both sides, and MFA methods': {
    before: granting('*', 'read', groups('old')),
    after:
      granting('*', 'read', groups('new')) +
      rules(300, (index) => granting(`kv/${index}*`, 'read', `mfa_methods = ["m${index}"]`)),
  },
  '1,000 MFA methods, each of them in another rule': {
    before: granting(
      '*',
      'read',
      `mfa_methods = ${JSON.stringify(Array.from({ length: 1_000 }, (_, index) => `m${index}`))}`,
    ),
    after: rules(1_000, (index) => granting(`kv/${index}*`, 'read', `mfa_methods = ["m${index}"]`)),
  },
  'names that answers use as examples': paths(200, (index) => `kv/${String.fromCodePoint(0x100 + index)}*`),
  '200 required parameters': {
    before: granting('a', 'update'),
    after: granting(
      'a',
      'update',
      `required_parameters = ${JSON.stringify(Array.from({ length: 200 }, (_, index) => `p${index % 10}`))}`,
    ),
  },
};

/** The cases that resemble real policies. Their comparison must have a result. */
const COMPARED = [
  ...['10 globs in a parameter', '40 globs in a parameter', '400 globs'],
  'a control group of 1,000 groups that other rules lack',
  ...['100 control groups', '100 factors of a control group', '100 templates', '200 required parameters'],
];

function setOf(text: string, name = 'it', namespace = ''): AclPolicySet {
  return new AclPolicySet([{ name, policy: parseAclPolicy(text, { namespace }) }]);
}

/** The largest number of counted blocks per step. */
const MOST_WORK_OF_STEP = 10;

/** Whether an examination ends with a result. Fails if its work exceeds the steps of its budget. */
function isCompleted(characters: number, examine: () => unknown): boolean {
  let completed = false;
  const work = countedWork(() => (completed = comesToEnd(examine)));
  const steps = Effort.for([{ names: [], characters }]).left;
  expect(work / steps).toBeLessThan(MOST_WORK_OF_STEP);
  return completed;
}

function comesToEnd(examine: () => unknown): boolean {
  try {
    examine();
    return true;
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    expect(error.message).toMatch(
      /^ACL policy "it" is too complex to compare: |^the ACL policies "it", "it" are too/,
    );
    return false;
  }
}

describe.each(Object.entries(ATTACKS))('the bounded work for policies with %s', (name, { before, after }) => {
  const characters = before.length + after.length;

  test("covers a comparison of two texts, which ends with the differences or the policy's name", () => {
    const [old, now] = [setOf(before), setOf(after)];
    const completed = isCompleted(characters, () => sensitiveChanges(diffPolicySets(old, now), old, now));
    if (COMPARED.includes(name)) expect(completed).toBe(true);
  });

  test('covers everything that a policy permits', () =>
    void isCompleted(characters, () => permittedBy(setOf(after))));

  test('covers dead rules, and denies that other rules override', () => {
    isCompleted(characters, () => deadRules(setOf(after)));
    isCompleted(characters, () => shadowedDenies(setOf(after)));
  });

  test('covers the search of a permitted request, and the explanation of requests', () => {
    const set = setOf(after);
    isCompleted(characters, () => findPermitted(set, 'patch', '+/+/*'));
    for (const path of [`kv/${'a/'.repeat(1_000)}`, `kv/${'a'.repeat(2_000)}`, '+/'.repeat(1_000)]) {
      const data = { p: Array.from({ length: 200 }, (_, index) => `a${index}b, ${index}`).join(',') };
      isCompleted(characters, () => explainRequest(set, { operation: 'update', path, data }));
    }
  });

  test('covers the findings of the linter', () => void isCompleted(characters, () => lintAclPolicy(after)));

  test('covers the effects of an upgrade of the server', () => {
    isCompleted(characters, () =>
      upgradeImpacts([{ name: 'it', policy: parseAclPolicy(after) }], '1.15.0', '2.2.0'),
    );
  });
});

test('a loop that pays for no steps is detected by its work', () => {
  const pairs = (count: number) => () => {
    let sum = 0;
    for (let a = 0; a < count; a++) for (let b = 0; b < count; b++) sum += b;
    return sum;
  };
  expect(isCompleted(140, pairs(500))).toBe(true);
  expect(() => isCompleted(140, pairs(1_500))).toThrow('toBeLessThan');
});

test('the examination of policies in many namespaces is bounded', () => {
  const policies = Array.from({ length: 200 }, (_, index) => ({
    name: 'it',
    policy: parseAclPolicy(granting('+/*', 'update'), { namespace: `a${index}/b/c/` }),
  }));
  const set = new AclPolicySet(policies);
  expect(explainRequest(set, { operation: 'update', path: 'a7/b/c/sys/seal' }).needsSudo).toBe(true);
  expect(findPermitted(set, 'sudo', '*')).toBeUndefined();
  expect(permittedBy(set)).toHaveLength(200);
});

describe('Effort', () => {
  test('shared steps are used after the first few thousand of an examination', () => {
    const shared = new Effort(1_000);
    new Effort(1e6, [], shared).spend(5_000);
    expect(shared.left).toBe(1_000);
    new Effort(1e6, [], shared).spend(5_600);
    expect(shared.left).toBe(400);
    expect(() => new Effort(1e6, ['it'], shared).spend(5_401)).toThrow('ACL policy "it" is too complex');
    expect(() => new Effort(1e6, [], shared).spend(5_000)).not.toThrow();
    expect(() => new Effort(10, [], shared).spend(11)).toThrow(TooComplexError);
  });
});

test('long paths of audit logs are not merged into one rule', () => {
  const uses = new Uses();
  for (let index = 0; index < 50; index++) {
    const request = { operation: 'read', path: `kv/${index}/${'a/'.repeat(1_000)}${index}` };
    const line = JSON.stringify({ type: 'request', auth: { policies: ['app'] }, request });
    const read = readAuditLine(line);
    if (typeof read === 'object') uses.add(read);
  }
  expect(() => writePolicyFor(uses.list(), [], { mergeFrom: 2 })).toThrow(TooComplexError);
  expect(writePolicyFor(uses.list(), []).rules).toHaveLength(50);
});
