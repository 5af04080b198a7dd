import type { AclOptions, AclRequest } from '../../../../src/model';
import {
  type AclPolicySet,
  diffPolicySets,
  isEqual,
  isSubset,
  permittedBy,
  type AclChange,
} from '../../../../src/model/acl/reasoning';
import { Random } from '../../support/random';
import { PATHS } from './paths';
import { listOf, randomOptions, randomPolicy, setOf, withEvaluatorOf } from './random-sets';

const F = 'control group "f" (2 approvals of "ops")';

/** Returns a rule with a control group of a name, for all or for some capabilities. */
function checked(name?: string, controlled = ''): string {
  const some = controlled === '' ? '' : `controlled_capabilities = [${controlled}]`;
  const factor = `factor "${name}" { ${some} identity { group_names = ["ops"] approvals = 2 } }`;
  const group = name === undefined ? '' : `control_group = { ${factor} }`;
  return `path "a" { capabilities = ["read", "update"] ${group} }\n`;
}

describe('the differences of two policies', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['no change', rule('a/*', 'read'), rule('a/*', 'read'), []],
    ['a new capability', rule('a/*', 'read'), rule('a/*', 'read', 'update'), ['+ update a/*']],
    ['a removed capability', rule('a/*', 'read', 'update'), rule('a/*', 'read'), ['- update a/*']],
    ['a new rule', '', rule('a/b', 'read'), ['+ read a/b']],
    [
      'a deny within a prefix',
      rule('a/*', 'read'),
      rules(['a/*', 'read'], ['a/b/*', 'deny']),
      ['- read a/b/*'],
    ],
    [
      'a deny that a later wildcard shadows',
      rule('a/b/*', 'read'),
      rules(['a/b/*', 'read'], ['a/+/secret', 'deny']),
      [],
    ],
    [
      'a new rule around an unchanged one',
      rule('a/b', 'read'),
      rules(['a/b', 'read'], ['a/*', 'read']),
      ['+ read a/* except a/b'],
    ],
    ['two new rules, one around the other', '', rules(['a/b', 'read'], ['a/*', 'read']), ['+ read a/*']],
    [
      'the same permissions by other patterns',
      rule('a/*', 'read'),
      rules(['a/*', 'read'], ['a/+/b', 'read'], ['a/b*', 'read']),
      [],
    ],
    ['a list by a prefix', '', rule('a/*', 'list'), ['+ list a/*']],
    ['a list by a folder', '', rule('a/b', 'list'), ['+ list a/b/']],
    ['a list by a segment, which may be empty', '', rule('a/+', 'list'), ['+ list a/', '+ list a/+/']],
    [
      'a folder with its slash and without it',
      rule('a/b', 'list'),
      rule('a/b/', 'list'),
      ['+ list a/b// untidy'],
    ],
    [
      'the paths that two patterns share',
      rule('a/+/d', 'read'),
      rules(['a/+/d', 'read'], ['a/b*', 'deny']),
      ['- read a/b<any but "/">/d'],
    ],
    ['sudo', rule('sys/seal', 'update'), rule('sys/seal', 'update', 'sudo'), ['+ sudo sys/seal']],
    [
      'several capabilities of the same paths, in the order of operations',
      '',
      rule('a*', 'subscribe', 'sudo', 'list', 'patch', 'read'),
      ['+ read a*', '+ patch a*', '+ list a*', '+ sudo a*', '+ subscribe a*'],
    ],
    [
      'a subscription to a path with a final slash, which is no list',
      rule('a/*', 'deny'),
      rules(['a/*', 'deny'], ['a/+/', 'subscribe']),
      ['+ subscribe a/+/'],
    ],
    [
      'untidy paths',
      '',
      rules(['a//b', 'read'], ['../c', 'read'], ['d/..', 'read'], ['e/./f', 'read'], ['.g/h./...', 'read']),
      [
        '+ read ../c untidy',
        '+ read .g/h./...',
        '+ read a//b untidy',
        '+ read d/.. untidy',
        '+ read e/./f untidy',
      ],
    ],
  ])('are complete: %s', (_what, before, after, changes) => {
    expect(shown(diffPolicySets(setOf(before), setOf(after)))).toEqual(changes);
  });

  test.each<[string, string, string, readonly (readonly [string, unknown])[]]>([
    ['the same control group', checked('f'), checked('f'), []],
    [
      'a removed control group',
      checked('f'),
      checked(),
      [
        ['less-checked read a', { before: [F], after: [] }],
        ['less-checked update a', { before: [F], after: [] }],
      ],
    ],
    [
      'a new control group',
      checked(),
      checked('f', '"update"'),
      [['more-checked update a', { before: [], after: [F] }]],
    ],
    [
      'a replaced control group',
      checked('f', '"update"'),
      checked('g', '"update"'),
      [['less-checked update a', { before: [F], after: [F.replace('"f"', '"g"')] }]],
    ],
    [
      'a control group for another capability',
      checked('f', '"update"'),
      checked('f', '"read"'),
      [
        ['more-checked read a', { before: [], after: [F] }],
        ['less-checked update a', { before: [F], after: [] }],
      ],
    ],
    [
      'a new rule with a control group',
      '',
      checked('f', '"update"'),
      [
        ['allowed read a', undefined],
        ['allowed update a', { before: [], after: [F] }],
      ],
    ],
    [
      'a removed rule with a control group',
      checked('f', '"update"'),
      '',
      [
        ['denied read a', undefined],
        ['denied update a', { before: [F], after: [] }],
      ],
    ],
    [
      'an MFA method',
      'path "a" { capabilities = ["read"] mfa_methods = ["okta"] }',
      rule('a', 'read'),
      [['less-checked read a', { before: ['MFA method "okta"'], after: [] }]],
    ],
    [
      'an MFA method, and a removed capability',
      'path "a" { capabilities = ["read", "update"] mfa_methods = ["okta"] }',
      rule('a', 'read'),
      [
        ['less-checked read a', { before: ['MFA method "okta"'], after: [] }],
        ['denied update a', { before: ['MFA method "okta"'], after: [] }],
      ],
    ],
    [
      'an MFA method of requests that never both permit',
      'path "a" { capabilities = ["read"] mfa_methods = ["okta"] max_wrapping_ttl = 30 }',
      'path "a" { capabilities = ["read"] min_wrapping_ttl = 60 }',
      [
        ['allowed read a', undefined],
        ['denied read a', { before: ['MFA method "okta"'], after: [] }],
      ],
    ],
    [
      'types of events',
      'path "a" { capabilities = ["subscribe"] subscribe_event_types = ["kv-v2/data-write"] }',
      'path "a" { capabilities = ["subscribe"] subscribe_event_types = ["*"] }',
      [
        [
          'less-checked subscribe a',
          { before: ['one of the event types "kv-v2/data-write"'], after: ['one of the event types "*"'] },
        ],
      ],
    ],
    [
      'checks of one path in two rules, all of which stay',
      checked('f', '"update"') + rule('a', 'read'),
      checked('f', '"update"'),
      [],
    ],
  ])('include further checks: %s', (_what, before, after, changes) => {
    expect(
      diffPolicySets(setOf(before), setOf(after)).map(({ operation, becomes, pattern, checks }) => [
        `${becomes} ${operation} ${pattern}`,
        checks,
      ]),
    ).toEqual(changes);
  });

  test('show that a set is no subset of one with more checks, and the reverse', () => {
    const [open, closed] = [setOf(checked()), setOf(checked('f'))];
    expect([isSubset(open, closed), isSubset(closed, open)]).toEqual([false, true]);
    expect([isEqual(open, closed), isEqual(open, open)]).toEqual([false, true]);
  });

  test('include further checks for only some parameters, with an example that both permit', () => {
    const before = 'path "a" { capabilities = ["update"] required_parameters = ["p"] max_wrapping_ttl = 60 }';
    const after = `path "a" { capabilities = ["update"] min_wrapping_ttl = 60 mfa_methods = ["m"] }`;
    const found = diffPolicySets(setOf(before), setOf(after)).find(
      ({ becomes }) => becomes === 'more-checked',
    );
    expect(found?.witness).toEqual({ operation: 'update', path: 'a', data: { p: 'example' }, wrapTtl: 60 });
  });

  test('include patterns that no rule names, if several rules have them in common', () => {
    const before = setOf(rules(['a/b*', 'read'], ['+/+/c', 'update']));
    const after = setOf(rules(['a/b*', 'read'], ['+/+/c', 'update', 'patch']));
    expect(shown(diffPolicySets(before, after))).toEqual(['+ patch +/+/c except a/b<any but "/">/c']);
  });

  test('have the deciding rules, and an example that is decided differently', () => {
    const [change, ...others] = diffPolicySets(
      setOf(rule('secret/data/*', 'read')),
      setOf(rules(['secret/data/*', 'read'], ['secret/data/prod/*', 'read', 'update'])),
    );
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      operation: 'update',
      becomes: 'allowed',
      partly: false,
      witness: { operation: 'update', path: 'secret/data/prod/example' },
      before: { path: 'secret/data/*' },
      after: { path: 'secret/data/prod/*', origins: [{ policy: 'policy', index: 1 }] },
    });
  });

  test.each<[string, string, string, Partial<AclRequest>]>([
    [
      'a value',
      'allowed_parameters = { p = ["x"] }',
      'allowed_parameters = { p = ["x", "y"] }',
      { data: { p: 'y' } },
    ],
    [
      'a glob',
      'allowed_parameters = { p = ["x"] }',
      'allowed_parameters = { p = ["x*"] }',
      { data: { p: 'xexample' } },
    ],
    [
      'a parameter',
      'allowed_parameters = { p = [] }',
      'allowed_parameters = { p = [], q = [] }',
      { data: { q: 'example' } },
    ],
    ['all parameters', 'allowed_parameters = { p = [] }', '', { data: { example: 'example' } }],
    ['no longer required', 'required_parameters = ["p"]', '', {}],
    ['no longer denied', 'denied_parameters = { p = ["x"] }', '', { data: { p: 'x' } }],
    ['a longer wrapping', 'max_wrapping_ttl = 60', 'max_wrapping_ttl = 120', { wrapTtl: 120 }],
    ['no wrapping', 'max_wrapping_ttl = 60', '', {}],
    [
      'a value beside one that is required',
      'required_parameters = ["q"]\nallowed_parameters = { q = ["z"], p = ["x"] }',
      'required_parameters = ["q"]\nallowed_parameters = { q = ["z"], p = [] }',
      { data: { q: 'z', p: 'example' } },
    ],
  ])('have an example with the parameter: %s', (_what, narrow, wide, details) => {
    const [a, b] = [constrained(narrow), constrained(wide)];
    const witness = { operation: 'update', path: 'a', ...details };
    expect(diffPolicySets(a, b)).toMatchObject([{ becomes: 'allowed', partly: true, witness }]);
    expect(diffPolicySets(b, a)).toMatchObject([{ becomes: 'denied', partly: true, witness }]);
  });

  test.each<[string, string, string, Partial<AclRequest> | undefined]>([
    ['a minimum', 'max_wrapping_ttl = 100', 'max_wrapping_ttl = 100\nmin_wrapping_ttl = 60', { wrapTtl: 1 }],
    ['a maximum', 'min_wrapping_ttl = 30', 'min_wrapping_ttl = 30\nmax_wrapping_ttl = 60', { wrapTtl: 61 }],
    [
      'values of a parameter that is literally a star',
      'allowed_parameters = { "*" = ["x"], p = [] }',
      'allowed_parameters = { "*" = ["z"], p = [] }',
      undefined,
    ],
    [
      'other parameters than the one of the name of examples',
      'allowed_parameters = { example = ["x"], "*" = [] }',
      'allowed_parameters = { example = ["x"] }',
      { data: { 'example-2': 'example' } },
    ],
  ])('have an example that a new bound refuses: %s', (_what, wide, narrow, details) => {
    const changes = diffPolicySets(constrained(wide), constrained(narrow));
    const witness = { operation: 'update', path: 'a', ...details };
    expect(changes.map((change) => change.witness)).toEqual(details ? [witness] : []);
  });

  test('have an example with response wrapping if a rule requires it', () => {
    expect(permittedBy(constrained('max_wrapping_ttl = 60')).map(({ witness }) => witness)).toEqual([
      { operation: 'update', path: 'a', wrapTtl: 60 },
    ]);
  });

  test('have an example with a parameter value that both permit, for further checks', () => {
    const required = 'required_parameters = ["p"]\nallowed_parameters = { p = ["x", "y"] }';
    const after = 'allowed_parameters = { p = ["y"] }\nmfa_methods = ["m"]';
    const found = diffPolicySets(constrained(required), constrained(after)).filter(
      ({ becomes }) => becomes === 'more-checked',
    );
    expect(found.map(({ witness }) => witness.data)).toEqual([{ p: 'y' }]);
  });

  test('exclude globs with the same meaning', () => {
    const one = constrained('allowed_parameters = { p = ["x*", "xy*", "*"] }');
    const other = constrained('allowed_parameters = { p = ["*", "x*", "xyz"] }');
    expect(diffPolicySets(one, other)).toEqual([]);
  });

  test('include a text that only a mixture of globs distinguishes', () => {
    const wide = 'allowed_parameters = { p = ["ab*"] }\ndenied_parameters = { p = ["*cd"] }';
    const narrow = 'allowed_parameters = { p = ["ab*"] }\ndenied_parameters = { p = ["*cd", "xy*"] }';
    expect(diffPolicySets(constrained(wide), constrained(narrow))).toMatchObject([
      { becomes: 'denied', witness: { data: { p: 'ab,xy' } } },
    ]);
    const whole = { perElementLists: false };
    expect(diffPolicySets(constrained(wide, whole), constrained(narrow, whole))).toEqual([]);
    const [denied] = diffPolicySets(
      constrained('allowed_parameters = { p = ["ab*"] }\ndenied_parameters = { p = ["*cd"] }'),
      constrained('allowed_parameters = { p = ["ab*"] }\ndenied_parameters = { p = ["*d"] }'),
    );
    expect(denied).toMatchObject({ becomes: 'denied', witness: { data: { p: 'abd' } } });
  });

  test.each<['sudo' | 'subscribe' | 'list', AclRequest]>([
    ['sudo', { operation: 'read', path: 'a' }],
    ['subscribe', { operation: 'read', path: 'a' }],
    ['list', { operation: 'list', path: 'a/' }],
  ])('have a request as the example of %s', (capability, witness) => {
    expect(diffPolicySets(setOf(''), setOf(rule('a', capability)))).toMatchObject([{ witness }]);
  });

  test.each<[string, AclPolicySet, AclPolicySet]>([
    ['the old', withEvaluatorOf(rule('a', 'read'), ''), setOf(rule('a', 'read'))],
    ['the new', setOf(''), withEvaluatorOf('', rule('a', 'read'))],
  ])('exclude an example that the evaluator of %s set does not confirm', (_which, before, after) => {
    expect(() => diffPolicySets(before, after)).toThrow(
      new Error('the difference at read a could not be confirmed'),
    );
    expect(() => diffPolicySets(after, before)).toThrow(
      new Error('the difference at read a could not be confirmed'),
    );
  });

  test('treat templates as values that no other path contains', () => {
    const path = 'secret/data/{{identity.entity.id}}/*';
    expect(shown(diffPolicySets(setOf(''), setOf(rule(path, 'read'))))).toEqual([`+ read ${path}`]);
    expect(diffPolicySets(setOf(rule(path, 'read')), setOf(rule(path, 'read')))).toEqual([]);
  });

  test("include changes of the server's version, for the same policies", () => {
    const text = rules(['kv/*', 'list'], ['kv/team/+', 'deny']);
    const [old, now] = [setOf(text), setOf(text, { lists: 'with-slash-first' })];
    expect(shown(diffPolicySets(old, now))).toEqual(['- list kv/team/', '+ list kv/team/+/']);
    const sudo = rules(['kv/*', 'list'], ['kv/team/+', 'list', 'sudo']);
    expect(
      shown(
        diffPolicySets(
          setOf(sudo + rule('kv/other', 'read')),
          setOf(sudo + rule('kv/team/a', 'list', 'sudo', 'read'), { lists: 'with-slash-first' }),
        ),
      ),
    ).toEqual([
      '- read kv/other',
      '+ list kv/other/',
      '+ sudo kv/team/',
      '- sudo kv/team/+/ except kv/team/a/',
      '+ read kv/team/a',
    ]);
    const lists = 'path "a" { capabilities = ["update"] allowed_parameters = { p = ["x"] } }';
    expect(diffPolicySets(setOf(lists, { perElementLists: false }), setOf(lists))).toMatchObject([
      { becomes: 'allowed', partly: true },
    ]);
  });
});

test('isSubset compares what two sets permit', () => {
  const narrow = setOf(rule('a/b/*', 'read'));
  const wide = setOf(rules(['a/*', 'read', 'update'], ['a/c', 'deny']));
  expect(isSubset(narrow, wide)).toBe(true);
  expect(isSubset(wide, narrow)).toBe(false);
  expect(isSubset(wide, wide)).toBe(true);
});

test('permittedBy returns everything that a set permits', () => {
  const set = setOf(rules(['a/*', 'read', 'list'], ['a/b', 'deny'], ['c/+/d', 'update']));
  expect(shown(permittedBy(set))).toEqual([
    '+ read a/* except a/b',
    '+ list a/* except a/b/',
    '+ update c/+/d',
  ]);
});

test('permittedBy with a prefix names no other paths, in patterns and examples', () => {
  const set = setOf(rules(['*', 'list'], ['a/*', 'read', 'list'], ['a/bc/*', 'deny'], ['+/b/c', 'read']));
  expect(shown(permittedBy(set, 'a/b'))).toEqual([
    '+ read a/b* except a/bc/*',
    '+ list a/b* except a/bc/+/*',
  ]);
  expect(shown(permittedBy(set, '//a/bc/'))).toEqual(['+ list a/bc/']);
  expect(shown(permittedBy(set, 'x/b/'))).toEqual(['+ list x/b/* except x/b/c/', '+ read x/b/c']);
  for (const under of ['a/b', 'x/b/']) {
    for (const { witness } of permittedBy(set, under)) expect(witness.path).toMatch(new RegExp(`^${under}`));
  }
});

describe('the patterns of differences', () => {
  test.each<[string, string, string, readonly string[]]>([
    [
      'an exception within a rule that permits the same',
      '',
      rules(['a/*', 'read'], ['a/b*', 'read'], ['a/bc*', 'deny']),
      ['+ read a/* except a/bc*'],
    ],
    ['a segment and all below it', '', rules(['a/+', 'read'], ['a/+/*', 'read']), ['+ read a/*']],
    [
      'each depth separately',
      '',
      rules(['a/+', 'read'], ['a/+/+', 'read'], ['a/+/+/*', 'read'], ['a/+/c', 'deny']),
      ['+ read a/* except a/+/c'],
    ],
    [
      'the paths that two patterns contain',
      '',
      rules(['a/+', 'read'], ['a/+/*', 'read'], ['a/b*', 'read'], ['a/c/*', 'read']),
      ['+ read a/*'],
    ],
    [
      'no paths between two patterns',
      '',
      rules(['a/+', 'read'], ['a/+/+/*', 'read']),
      ['+ read a/+', '+ read a/+/+/*'],
    ],
    [
      'an exception except at one depth',
      '',
      rules(['a*', 'read'], ['a/*', 'update'], ['a/+', 'read']),
      ['+ read a* except a/+/*', '+ update a/+/*'],
    ],
    [
      'an exception at one depth',
      '',
      rules(['a*', 'read'], ['a/*', 'read'], ['a/+/b', 'deny'], ['a/+', 'deny']),
      ['+ read a* except a/+/b, a/+'],
    ],
    [
      'a rule that only decides at a depth where another one permits the same',
      rule('+', 'read'),
      rules(['b/b*', 'read'], ['+/*', 'read'], ['b*', 'read']),
      ['- read + except b<any but "/">', '+ read +/*'],
    ],
    [
      'a folder that other rules separate from its surroundings',
      '',
      rules(['a/*', 'read'], ['a/+/c', 'deny'], ['a/b/+', 'read'], ['a/b/+/*', 'read']),
      ['+ read a/* except a/+/c', '+ read a/b/*'],
    ],
    ['a rule that decides only at one depth', '', rules(['a/*', 'read'], ['a/+', 'deny']), ['+ read a/+/*']],
  ])('are as few as possible: %s', (_what, before, after, changes) => {
    expect(shown(diffPolicySets(setOf(before), setOf(after)))).toEqual(changes);
  });
});

test('differences of denials that match in upper and lower case are complete and marked', () => {
  const options = { denials: 'any-case' } as const;
  const before = rules(['kv/*', 'read'], ['kv/app', 'deny']);
  const changed = (after: string) => shown(diffPolicySets(setOf(before, options), setOf(after, options)));
  expect(changed(rules(['kv/*', 'read'], ['kv/App', 'deny']))).toEqual([]);
  expect(changed(rules(['kv/*', 'read']))).toEqual(['+ read kv/<any case: app>']);
  // A rule for one spelling of the path does not affect the other spellings.
  expect(changed(rules(['kv/*', 'read'], ['kv/app', 'list']))).toEqual([
    '+ read kv/<any case: app> except kv/app',
    '+ list kv/app/',
  ]);
});

describe('random policies compared by diffPolicySets and request by request', () => {
  const ROUNDS = 60;

  test.each([
    ['operations', false, 20_251],
    ['parameters and wrapping', true, 20_252],
  ])('have the same differences: %s', (_what, withConstraints, seed) => {
    const random = new Random(seed);
    for (let round = 0; round < ROUNDS; round++) {
      const options = randomOptions(random);
      const texts = [randomPolicy(random, withConstraints), randomPolicy(random, withConstraints)] as const;
      const [before, after] = [setOf(texts[0], options), setOf(texts[1], options)];
      const mistake = mistakeOf(random, before, after, diffPolicySets(before, after), withConstraints);
      expect({ seed, round, texts, options, mistake }).toEqual({
        seed,
        round,
        texts,
        options,
        mistake: undefined,
      });
    }
  });

  test('differ if a change is left out or added', () => {
    const [before, after] = [setOf(rule('a/*', 'read')), setOf(rules(['a/*', 'read'], ['a/b', 'update']))];
    const all = diffPolicySets(before, after);
    const random = new Random(1);
    expect(mistakeOf(random, before, after, all, false)).toBeUndefined();
    expect(mistakeOf(random, before, after, [], false)).toBe('missing: read a/b');
    const madeUp = all.map((change) => ({ ...change, pattern: 'a/+' }));
    expect(mistakeOf(random, before, after, madeUp, false)).toBe('made up: read a/a');
  });
});

const VALUES = ['x', 'xz', 'xy', 'zxyz', '*', true, 'x,y', 'x,xy', ['x'], ['x', 'xy'], [], 1];

/** Returns the first request for which the changes are wrong. */
function mistakeOf(
  random: Random,
  before: AclPolicySet,
  after: AclPolicySet,
  changes: readonly AclChange[],
  withConstraints: boolean,
): string | undefined {
  const compiled = changes.map((change) => ({
    ...change,
    includes: (path: string) =>
      matcher(change.pattern)(path) && !change.except.some((pattern) => matcher(pattern)(path)),
  }));
  for (const path of PATHS) {
    for (const operation of ['read', 'update', 'list'] as const) {
      if (operation === 'list' && !path.endsWith('/')) continue;
      const details = withConstraints ? randomDetails(random) : {};
      const [old, now] = [before, after].map(({ acl }) => acl.allow({ operation, path, ...details }).allowed);
      const found = compiled.filter((change) => change.operation === operation && change.includes(path));
      const direction = now ? 'allowed' : 'denied';
      if (old !== now && !found.some(({ becomes }) => becomes === direction))
        return `missing: ${operation} ${path}`;
      const wrong = (change: AclChange) => change.becomes !== direction || (old === now && !withConstraints);
      if ((old !== now || !withConstraints) && found.some((change) => !change.partly && wrong(change))) {
        return `made up: ${operation} ${path}`;
      }
    }
  }
  return undefined;
}

function randomDetails(random: Random): Pick<AclRequest, 'data' | 'wrapTtl'> {
  const data = Object.fromEntries(
    listOf(random, 3, () => [random.pick(['p', 'q', 'r']), random.pick<unknown>(VALUES)] as const),
  );
  return { data, ...(random.below(3) === 0 && { wrapTtl: random.pick([5, 10, 60, 80, 100, 200]) }) };
}

/** Returns a matcher for a pattern that is independent of the code under test. */
function matcher(pattern: string): (path: string) => boolean {
  const isPrefix = pattern.endsWith('*');
  const text = isPrefix ? pattern.slice(0, -1) : pattern;
  const source = text
    .replaceAll('<any but "/">', '+')
    .replaceAll(/<any case: ([^>]*)>/g, (_, part: string) =>
      part.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
    )
    .replaceAll('+', '[^/]*');
  const expression = new RegExp(`^${source}${isPrefix ? '.*' : ''}$`);
  return (path) => expression.test(path);
}

function shown(changes: readonly AclChange[]): readonly string[] {
  return changes.map(({ operation, becomes, pattern, except, partly, untidy }) => {
    const exceptions = except.length > 0 ? ` except ${except.join(', ')}` : '';
    return `${becomes === 'allowed' ? '+' : '-'} ${operation} ${pattern}${exceptions}${partly ? ' partly' : ''}${untidy ? ' untidy' : ''}`;
  });
}

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }`;
}

function rules(...all: readonly (readonly [string, ...string[]])[]): string {
  return all.map(([path, ...capabilities]) => rule(path, ...capabilities)).join('\n');
}

function constrained(body: string, options?: AclOptions): AclPolicySet {
  return setOf(`path "a" {\n capabilities = ["update"]\n ${body}\n}`, options);
}
