import {
  AclPolicySet,
  explainRequest,
  explanationLines,
  parseAclPolicy,
  refusalText,
  requestText,
  type AclRefusal,
  type AclRequest,
} from '../../../../src/model';

const rule = (path: string, ...capabilities: readonly string[]) =>
  `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }\n`;

function setOf(...texts: readonly string[]): AclPolicySet {
  return new AclPolicySet(texts.map((text, index) => ({ name: `p${index}`, policy: parseAclPolicy(text) })));
}

test.each<[AclRequest, string]>([
  [{ operation: 'read', path: 'kv/a' }, 'read kv/a'],
  [
    { operation: 'update', path: 'kv/a', data: { p: 'x', q: [1] }, wrapTtl: 60 },
    'update kv/a p="x" q=[1] wrapped for 60 s',
  ],
  [{ operation: 'list', path: 'kv/', data: {}, wrapTtl: 0 }, 'list kv/ wrapped for 0 s'],
])('requestText writes a request for people: %j', (request, expected) => {
  expect(requestText(request)).toBe(expected);
});

test.each<[AclRefusal, string]>([
  [{ kind: 'no-rule' }, 'No rule matches the path.'],
  [{ kind: 'denied' }, 'The rule denies everything.'],
  [{ kind: 'capability', missing: 'patch' }, 'The rule does not grant "patch".'],
  [{ kind: 'wrapping', min: 5, max: 0 }, 'The response must be wrapped for at least 5 s.'],
  [{ kind: 'wrapping', min: 0, max: 9 }, 'The response must be wrapped for at most 9 s.'],
  [{ kind: 'wrapping', min: 5, max: 9 }, 'The response must be wrapped for at least 5 s and at most 9 s.'],
  [{ kind: 'wrapping', min: 5, max: 5 }, 'The response must be wrapped for at least 5 s and at most 5 s.'],
  [
    { kind: 'wrapping', min: 9, max: 5 },
    'The response must be wrapped for at least 9 s and at most 5 s, which is impossible.',
  ],
  [{ kind: 'parameter-required', parameter: 'p' }, 'The parameter "p" is required.'],
  [{ kind: 'parameter', parameter: 'p' }, 'The parameter "p" is not allowed, or not with this value.'],
  [{ kind: 'sudo' }, 'The path also requires the capability "sudo".'],
  [
    { kind: 'limit', limit: 'authorization details', refusal: { kind: 'no-rule' } },
    'The authorization details of the agent refuse it: No rule matches the path.',
  ],
])('refusalText explains a refusal: %j', (refusal, expected) => {
  expect(refusalText(refusal)).toBe(expected);
});

describe('the text of an explanation', () => {
  const marked = {
    strong: (text: string) => `*${text}*`,
    good: (text: string) => `+${text}+`,
    bad: (text: string) => `-${text}-`,
  };

  test('lists the rules that a denied request also matches', () => {
    const set = setOf(
      rule('kv/+/a', 'deny'),
      rule('kv/*', 'read', 'list') + rule('kv/+/*'),
      rule('kv/*', 'read'),
    );
    const explanation = explainRequest(set, { operation: 'read', path: 'kv/x/a' });
    expect(explanationLines(explanation, [])).toEqual([
      'read kv/x/a is denied.',
      'The rule denies everything.',
      '',
      'The deciding rule:',
      '  path "kv/+/a"  deny  (p0)',
      '',
      'Other matching rules, which have no effect:',
      '  path "kv/*"  read, list  (p1, p2): it ends with "*"',
      '  path "kv/+/*"  no capabilities  (p1): it ends with "*"',
    ]);
  });

  test('lists further checks and sufficient policies for an allowed request, in colors', () => {
    const factor = 'factor "ops" { identity { group_names = ["managers"] approvals = 1 } }';
    const set = setOf(
      `path "kv/a" { capabilities = ["read"] control_group = { ${factor} } mfa_methods = ["okta"] }`,
    );
    const explanation = explainRequest(set, { operation: 'read', path: 'kv/a' });
    expect(explanationLines(explanation, ['p0', 'p1'], marked)).toEqual([
      '*read kv/a* is +allowed+.',
      'It must also pass: MFA method "okta"; control group "ops" (1 approval of "managers").',
      '',
      'The deciding rule:',
      '  path "kv/a"  read  (p0)',
      '',
      'Policies that allow it on their own: p0, p1',
    ]);
  });

  test('lists rules with templates that may match if no other does', () => {
    const set = setOf(rule('kv/{{identity.entity.name}}', 'read'));
    const explanation = explainRequest(set, { operation: 'delete', path: '/kv/jo' });
    expect(explanationLines(explanation, [], marked)).toEqual([
      '*delete kv/jo* is -denied-.',
      'No rule matches the path.',
      '',
      'Rules that may match as well, depending on the identity of the token:',
      '  path "kv/{{identity.entity.name}}"  read  (p0)',
    ]);
  });

  test.each<[string, string, string, string]>([
    ['kv/a', 'kv/*', 'kv/a', 'the rule that decides names the path itself'],
    ['kv/x/*', 'kv/*', 'kv/x/a', 'its first "+" or "*" comes earlier'],
    ['kv/+/a', 'kv/+/*', 'kv/x/a', 'it ends with "*"'],
    ['kv/+/a', 'kv/+/+', 'kv/x/a', 'it has more "+"'],
    ['kv/+/+/aa*', 'kv/+/+/a*', 'kv/x/y/aaa', 'it is shorter'],
    ['kv/+/b/+/c', 'kv/+/+/a/c', 'kv/x/b/a/c', 'it comes earlier in the alphabet'],
  ])('of a path that %s decides says why it has priority over %s', (winner, loser, path, why) => {
    const explanation = explainRequest(setOf(rule(winner, 'read') + rule(loser, 'read')), {
      operation: 'read',
      path,
    });
    expect(explanation.rule?.path).toBe(winner);
    expect(explanationLines(explanation, []).at(-1)).toBe(`  path "${loser}"  read  (p0): ${why}`);
  });

  test('says that the path of a list matches without the final slash', () => {
    const set = setOf(rule('kv/*', 'list') + rule('kv/team/+/*', 'list'));
    const explanation = explainRequest(set, { operation: 'list', path: 'kv/team/app' });
    expect(explanationLines(explanation, [])).toEqual([
      'list kv/team/app/ is allowed.',
      '',
      'The deciding rule:',
      '  path "kv/*"  list  (p0)',
      '',
      'Other matching rules, which have no effect:',
      '  path "kv/team/+/*"  list  (p0): it matches the path of the list only with, or only without, the final slash, and ' +
        'this variant is checked second',
    ]);
  });
});
