import { parseAclPolicy, type AclRequest } from '../../../../src/model';
import { AclPolicySet, deadRules, explainRequest } from '../../../../src/model/acl/reasoning';
import { PATHS } from './paths';
import { Random } from '../../support/random';
import { randomOptions, randomPolicy, setOf, withEvaluatorOf } from './random-sets';

describe('an explanation of a request', () => {
  test.each<[string, string, readonly (readonly [string, string])[]]>([
    [
      'the path itself',
      'a/b',
      [
        ['a/*', 'exact'],
        ['a/+', 'exact'],
      ],
    ],
    [
      'a later wildcard',
      'a/b*',
      [
        ['a/+', 'first-wildcard'],
        ['*', 'first-wildcard'],
      ],
    ],
    ['no prefix', 'a/+/c', [['a/+/*', 'prefix']]],
    ['fewer wildcards', 'a/+/c', [['a/+/+', 'wildcards']]],
    ['the longer pattern', 'a/+/cd*', [['a/+/c*', 'length']]],
  ])('names the winning rule, and why others lost: %s', (_what, winner, losers) => {
    const path =
      winner === 'a/b' ? 'a/b' : winner === 'a/b*' ? 'a/b' : winner === 'a/+/cd*' ? 'a/b/cd' : 'a/b/c';
    const set = setOf(
      [...losers.map(([loser]) => loser), winner].map((each) => rule(each, 'read')).join('\n'),
    );
    const { allowed, rule: found, others } = explainRequest(set, { operation: 'read', path });
    expect(allowed).toBe(true);
    expect(found?.path).toBe(winner);
    expect(others.map((other) => [other.rule.path, other.lostBy]).sort()).toEqual([...losers].sort());
  });

  test('completes the path of a list, and names the form that decided', () => {
    const set = setOf([rule('kv/*', 'list'), rule('kv/team/+', 'deny')].join('\n'), {
      lists: 'with-slash-first',
    });
    expect(explainRequest(set, { operation: 'list', path: 'kv/team/app' })).toMatchObject({
      request: { operation: 'list', path: 'kv/team/app/' },
      allowed: true,
      rule: { path: 'kv/*' },
      others: [{ rule: { path: 'kv/team/+' }, lostBy: 'slash' }],
    });
  });

  test('covers rules with and without the final slash of a list', () => {
    const set = setOf([rule('a', 'list'), rule('a/', 'list')].join('\n'));
    expect(explainRequest(set, { operation: 'list', path: '//a' })).toMatchObject({
      request: { operation: 'list', path: 'a/' },
      rule: { path: 'a/' },
      others: [{ rule: { path: 'a' }, lostBy: 'slash' }],
    });
  });

  test.each<[string, string, Partial<AclRequest>, object | undefined]>([
    ['no rule', '', {}, { kind: 'no-rule' }],
    ['deny', 'capabilities = ["deny"]', {}, { kind: 'denied' }],
    ['a capability', 'capabilities = ["read"]', {}, { kind: 'capability', missing: 'update' }],
    [
      'wrapping',
      'capabilities = ["update"]\nmin_wrapping_ttl = 60',
      {},
      { kind: 'wrapping', min: 60, max: 0 },
    ],
    [
      'a missing parameter',
      'capabilities = ["update"]\nrequired_parameters = ["p"]',
      { data: { q: 1 } },
      { kind: 'parameter-required', parameter: 'p' },
    ],
    [
      'a parameter',
      'capabilities = ["update"]\nallowed_parameters = { p = [], q = ["x"] }',
      { data: { p: 1, q: 'y' } },
      { kind: 'parameter', parameter: 'q' },
    ],
    [
      'a parameter beside one that is required',
      'capabilities = ["update"]\nrequired_parameters = ["P"]\nallowed_parameters = { p = ["x"] }',
      { data: { p: 'y' } },
      { kind: 'parameter', parameter: 'p' },
    ],
    [
      'one of several elements',
      'capabilities = ["update"]\nallowed_parameters = { p = ["x"], q = ["x"] }',
      { data: { p: ['x', 'x'], q: ['x', 'y'] } },
      { kind: 'parameter', parameter: 'q' },
    ],
    ['nothing, since it is permitted', 'capabilities = ["update"]', {}, undefined],
  ])('names the reason of a refusal: %s', (_what, body, details, refusal) => {
    const set = setOf(body === '' ? '' : `path "a" {\n${body}\n}`);
    const explanation = explainRequest(set, { operation: 'update', path: 'a', ...details });
    expect(explanation.refusal).toEqual(refusal);
    expect(explanation.allowed).toBe(refusal === undefined);
  });

  test('reports whether a path that needs sudo has it', () => {
    const request = { operation: 'update', path: 'sys/seal' } as const;
    expect(explainRequest(setOf(rule('sys/seal', 'update')), request)).toMatchObject({
      allowed: false,
      needsSudo: true,
      refusal: { kind: 'sudo' },
    });
    expect(explainRequest(setOf(rule('sys/seal', 'update', 'sudo')), request).allowed).toBe(true);
  });

  test.each(['', '/', '//'])('refuses a list of %j, which is not a folder', (path) => {
    const decided = (text: string) => explainRequest(setOf(text), { operation: 'list', path });
    expect(decided(rule('+/', 'list'))).toMatchObject({
      request: { path: '' },
      refusal: { kind: 'no-rule' },
    });
    expect(decided(rule('*', 'list'))).toMatchObject({ allowed: true, rule: { path: '*' } });
  });

  test('considers the namespaces around a policy for a path that needs sudo', () => {
    const policies = ['a/b/', 'other/'].map((namespace) => ({
      name: namespace,
      policy: parseAclPolicy(rule('*', 'update', 'list'), { namespace }),
    }));
    const everywhere = { name: 'root', policy: parseAclPolicy(rule('*', 'update', 'list')) };
    const set = new AclPolicySet([...policies, everywhere]);
    expect(set.namespaces).toEqual(['', 'a/', 'a/b/', 'other/']);
    const needsSudo = (path: string) =>
      explainRequest(set, { operation: path.endsWith('/') ? 'list' : 'update', path }).needsSudo;
    for (const path of ['sys/seal', 'a/sys/auth/x', 'a/b/sys/auth/x', 'other/auth/token/accessors/']) {
      expect([path, needsSudo(path)]).toEqual([path, true]);
    }
    for (const path of ['kv/sys/auth/x', 'b/sys/auth/x', 'a/b/kv/sys/auth/x', 'a/b/sys/mounts/x']) {
      expect([path, needsSudo(path)]).toEqual([path, false]);
    }
  });

  test('requires no capability, no sudo and no further checks for help', () => {
    const set = setOf('path "sys/seal" { capabilities = ["update"] mfa_methods = ["m"] }');
    expect(explainRequest(set, { operation: 'help', path: 'sys/seal' })).toMatchObject({
      allowed: true,
      needsSudo: false,
      rule: { path: 'sys/seal' },
      checks: [],
    });
  });

  test('fails if the evaluator refuses without a reason in the rules', () => {
    const set = withEvaluatorOf('', rule('a', 'read'));
    expect(() => explainRequest(set, { operation: 'read', path: 'a' })).toThrow(
      new Error('the refusal of read a could not be explained'),
    );
  });

  test('lists a control group as a further check', () => {
    const group = 'control_group = { factor "f" { identity { group_names = ["g"] approvals = 1 } } }';
    const set = setOf(`path "a" { capabilities = ["read", "list"] ${group} }`);
    const checks = (operation: AclRequest['operation']) =>
      explainRequest(set, { operation, path: 'a' }).checks;
    expect(checks('read')).toEqual(['control group "f" (1 approval of "g")']);
    expect(checks('list')).toEqual(['control group "f" (1 approval of "g")']);
    expect(explainRequest(setOf(rule('a', 'read')), { operation: 'read', path: 'a' }).checks).toEqual([]);
  });

  test('lists rules whose templates could not be filled in', () => {
    const text = rule('secret/{{identity.entity.name}}/*', 'read') + rule('kv/{{time.now}}', 'read');
    const unfilled = (path: string) =>
      explainRequest(setOf(text), { operation: 'read', path }).unfilled.map((other) => other.path);
    expect(unfilled('secret/jo/a')).toEqual(['secret/{{identity.entity.name}}/*']);
    expect(unfilled('secret/jo')).toEqual([]);
    expect(unfilled('kv/1')).toEqual(['kv/{{time.now}}']);
    expect(unfilled('secret/{{identity.entity.name}}/a')).toEqual([]);
    const filled = setOf(text, { identity: { entity: { name: 'jo' } } });
    expect(explainRequest(filled, { operation: 'read', path: 'secret/jo/a' })).toMatchObject({
      allowed: true,
      unfilled: [],
      open: [],
    });
  });

  test("has the evaluator's decision, for random policies", () => {
    const random = new Random(77);
    for (let round = 0; round < 60; round++) {
      const set = setOf(randomPolicy(random, false), randomOptions(random));
      for (const path of PATHS) {
        for (const operation of ['read', 'list'] as const) {
          const { rule: found, request, allowed } = explainRequest(set, { operation, path });
          expect({ path, allowed }).toEqual({ path, allowed: set.acl.allow(request).allowed });
          const capability = found?.permissions.capabilities.has(operation) ?? false;
          expect({ path, capability }).toEqual({ path, capability: allowed });
        }
      }
    }
  });
});

describe('the dead rules of a policy', () => {
  test.each<[string, string, readonly string[]]>([
    ['no dead rules', [rule('a/*', 'read'), rule('a/b', 'deny')].join('\n'), []],
    [
      'rules behind patterns that cover them together',
      [rule('a/+', 'read'), rule('a/b*', 'list')].join('\n'),
      [],
    ],
    ['a path that no request has', rule('//a', 'read'), ['no-request /a']],
    ['a rule with a deny for the same path', [rule('a', 'read'), rule('a', 'deny')].join('\n'), ['denied a']],
    [
      'parameters that exclude each other',
      'path "a" { capabilities = ["update", "delete"] required_parameters = ["p"] denied_parameters = { p = [] } }',
      ['unusable update a'],
    ],
  ])('are found: %s', (_what, text, expected) => {
    const found = deadRules(setOf(text)).map((dead) =>
      [dead.kind, ...('capability' in dead ? [dead.capability] : []), dead.rule.path].join(' '),
    );
    expect(found).toEqual(expected);
  });

  test('include a rule whose paths are all decided by others', () => {
    const set = setOf([rule('a/+/c*', 'read'), rule('a/+/c', 'read'), rule('+/+/c', 'deny')].join('\n'));
    expect(deadRules(set)).toEqual([]);
    const shadowed = setOf([rule('+', 'read'), rule('*', 'read'), rule('+/*', 'deny')].join('\n'));
    expect(deadRules(shadowed)).toMatchObject([{ kind: 'never-decides', rule: { path: '+/*' } }]);
  });
});

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }`;
}
