import {
  Acl,
  aclOptionsFor,
  parseAclPolicy,
  type AclDecision,
  type AclOptions,
  type AclRequest,
  type DenialRule,
} from '../../../src/model';
import { computingTime } from '../../support/computing-time';
import { readVectors } from '../support/vectors';

/** A decision of the server's own code, as of version 2.0.3. */
interface Vector {
  readonly policies: readonly { readonly namespace: string; readonly text: string }[];
  readonly requests: readonly (AclRequest & { decision: AclDecision; capabilities: readonly string[] })[];
}

describe('the decision on a request', () => {
  test.each(readVectors<Vector>('acl/decision-vectors.json'))(
    "equals the server's decision in case %#",
    ({ policies, requests }) => {
      const acl = new Acl(
        policies.map(({ text, namespace }) => parseAclPolicy(text, { namespace })),
        { lists: 'with-slash-first' } as const,
      );
      for (const { decision, capabilities, ...request } of requests) {
        expect({ request, ...acl.allow(request) }).toEqual({ request, ...decision });
        expect(acl.capabilities(request.path)).toEqual(capabilities);
      }
    },
  );
});

describe('the rule that decides on a path', () => {
  test.each([
    ['the path itself over a prefix', ['a/b', 'a/*'], 'a/b'],
    ['the path itself over segments', ['a/b', 'a/+'], 'a/b'],
    ['segments over a prefix', ['a/+', 'a/*'], 'a/b'],
    ['the longest prefix', ['a/b*', 'a/*', '*'], 'a/bc'],
    ['the later first wildcard', ['a/b/+', 'a/+/c'], 'a/b/c'],
    ['a prefix with a later wildcard over segments', ['a/b*', 'a/+'], 'a/b'],
    ['a whole path over a prefix with segments', ['a/+/c', 'a/+/*'], 'a/b/c'],
    ['fewer segments', ['a/+/c/d', 'a/+/+/d'], 'a/b/c/d'],
    ['the longer pattern', ['a/+/bc*', 'a/+/b*'], 'a/x/bcd'],
  ])('has the best match: %s', (_what, [best = '', ...others], path) => {
    const rules = [...others.map((other) => rule(other, 'list')), rule(best, 'read')];
    expect(aclOf(rules.join('\n')).capabilities(path)).toEqual(['read']);
    expect(aclOf(rules.reverse().join('\n')).capabilities(path)).toEqual(['read']);
  });

  test.each([
    ['a/+', 'a/b/c'],
    ['a/+', 'a'],
    ['+', 'a/b'],
    ['a/+/c*', 'a/b'],
    ['a/b', 'a/b/'],
    ['a/*', 'a'],
    ['A', 'a'],
  ])('does not match another number of segments: %s and %s', (pattern, path) => {
    expect(aclOf(rule(pattern, 'read')).allow({ operation: 'read', path })).toEqual({
      allowed: false,
      sudo: false,
    });
  });

  test('names the folder of a list with or without its final slash', () => {
    expect(aclOf(rule('a/b', 'list')).allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(true);
    expect(aclOf(rule('a/b/', 'list')).allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(true);
    expect(aclOf(rule('a/+', 'list')).allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(true);
    expect(aclOf(rule('a/b', 'read')).allow({ operation: 'read', path: 'a/b/' }).allowed).toBe(false);
  });

  test('has the best match without the final slash, for lists on older servers', () => {
    const acl = aclOf([rule('kv/*', 'list'), rule('kv/team/+', 'deny')].join('\n'));
    expect(acl.allow({ operation: 'list', path: 'kv/team/app/' }).allowed).toBe(false);
    expect(acl.capabilities('kv/team/app/')).toEqual(['deny']);
    expect(acl.capabilities('kv/team/app')).toEqual(['deny']);

    const shadowed = aclOf([rule('a/b/*', 'deny'), rule('a/*', 'list')].join('\n'));
    expect(shadowed.allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(true);
    expect(shadowed.allow({ operation: 'list', path: 'a/b/c/' }).allowed).toBe(false);
  });

  test('has the best match with the final slash, for lists on servers from 2.0.3 on', () => {
    const options = { lists: 'with-slash-first' } as const;
    const open = aclWith(options, [rule('kv/*', 'list'), rule('kv/team/+', 'deny')].join('\n'));
    expect(open.allow({ operation: 'list', path: 'kv/team/app/' }).allowed).toBe(true);
    const shadowed = aclWith(options, [rule('a/b/*', 'deny'), rule('a/*', 'list')].join('\n'));
    expect(shadowed.allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(false);
  });

  test('is the best match that denies or allows the list, for lists on servers from 2.1.2 on', () => {
    const decides = (path: string, ...rules: readonly string[]) => {
      const { allowed } = aclWith({ lists: 'both' }, rules.join('\n')).allow({ operation: 'list', path });
      return allowed;
    };
    // The path without the slash decides here, although a rule matches the path with the slash.
    expect(decides('kv/team/app/', rule('kv/*', 'list'), rule('kv/team/+', 'deny'))).toBe(false);
    expect(decides('a/b/', rule('a/b/*', 'deny'), rule('a/*', 'list'))).toBe(false);
    // A better match that neither denies nor allows lists does not decide.
    expect(decides('a/b/c/', rule('a/b/+', 'read'), rule('a/+/c', 'list'))).toBe(true);
    expect(decides('a/b/c/', rule('a/b/+', 'read'), rule('a/+/c', 'deny'), rule('a/b*', 'list'))).toBe(true);
    // Only the longest prefix counts.
    expect(decides('a/b/c/', rule('a/b*', 'read'), rule('a/*', 'list'))).toBe(false);
    expect(decides('a/b/c/', rule('a/b*', 'read'), rule('a/*', 'deny'), rule('+/b/c', 'list'))).toBe(true);
  });

  test.each<[string, DenialRule, boolean]>([
    ['a request in another case', 'any-case', false],
    ['a request in another case', 'any-case-unless-named', false],
    ['a request in another case', 'as-written', true],
  ])('denies %s with denials that match %s', (_what, denials, expected) => {
    const allows = (path: string, ...rules: readonly string[]) =>
      aclWith({ denials }, rules.join('\n')).allow({ operation: 'read', path }).allowed;
    const everything = rule('*', 'read');
    expect(allows('secret/data/EXAMPLE', everything, rule('secret/data/example', 'deny'))).toBe(expected);
    expect(allows('secret/DATA/x/y', everything, rule('Secret/data/*', 'deny'))).toBe(expected);
    expect(allows('SECRET/x/Data', everything, rule('secret/+/data', 'deny'))).toBe(expected);
    expect(allows('secret/data', everything, rule('secret/DATAX', 'deny'))).toBe(true);
    // A more specific rule decides, whatever its case.
    expect(allows('Secret/x', rule('secret/*', 'deny'), rule('Secret/x', 'read'))).toBe(true);
  });

  test.each<[DenialRule, boolean]>([
    ['any-case', false],
    ['any-case-unless-named', true],
    ['as-written', true],
  ])('depends, for two spellings of one path, on denials that match %s', (denials, expected) => {
    for (const [denied, allowed, path] of [
      ['a/x', 'a/X', 'a/X'],
      ['a/X*', 'a/x*', 'a/xy'],
      ['+/x', '+/X', 'a/X'],
      ['+/X/*', '+/x/*', 'a/x/y'],
    ] as const) {
      const acl = aclWith({ denials }, [rule(denied, 'deny'), rule(allowed, 'read')].join('\n'));
      expect({ path, ...acl.allow({ operation: 'read', path }) }).toMatchObject({ path, allowed: expected });
    }
  });

  const OLDEST = {
    perElementLists: false,
    lowerPolicyNames: false,
    lists: 'without-slash-first',
    denials: 'as-written',
    refuseGlobs: false,
    refuseSlashes: false,
    alternatives: [],
  };
  const ELEMENTS = { ...OLDEST, perElementLists: true };
  const NEWEST = { ...ELEMENTS, lowerPolicyNames: true, lists: 'both', refuseGlobs: true };
  const open = (key: string, ...values: readonly string[]) =>
    values.map((value): unknown => expect.objectContaining({ options: { [key]: value } }));
  test.each<[string, object]>([
    ['1.20.4+ent', OLDEST],
    ['1.21.0', ELEMENTS],
    ['2.0.2+ent', { ...ELEMENTS, refuseGlobs: true }],
    ['2.0.3', { ...ELEMENTS, lists: 'with-slash-first', refuseGlobs: true }],
    [
      '2.1.0+ent.hsm',
      { ...ELEMENTS, lists: 'with-slash-first', refuseGlobs: true, alternatives: open('lists', 'both') },
    ],
    ['2.1.2', { ...NEWEST, alternatives: open('denials', 'any-case') }],
    ['2.2.2', { ...NEWEST, denials: 'any-case', alternatives: open('denials', 'any-case-unless-named') }],
    [
      '1.21.14+ent',
      {
        ...NEWEST,
        lists: 'without-slash-first',
        denials: 'any-case',
        alternatives: [
          ...open('lists', 'with-slash-first', 'both'),
          ...open('denials', 'any-case-unless-named'),
        ],
      },
    ],
    ['openbao-2.5.5', OLDEST],
    ['openbao-2.6.0', { ...OLDEST, lists: 'with-slash-first', refuseGlobs: true, refuseSlashes: true }],
  ])('a server of version %s decides with %j', (version, options) => {
    expect(aclOptionsFor(version)).toEqual(options);
  });

  test.each([
    ['1.21.0', { legacyExactMatchingOnList: true }, { perElementLists: false }],
    ['1.20.6+ent', { newPerElementMatchingOnList: true }, { perElementLists: true }],
    [
      '1.21.0',
      { newPerElementMatchingOnList: true, legacyExactMatchingOnList: true },
      { perElementLists: false },
    ],
    ['2.1.0', { denySlashInTemplatedPaths: true }, { refuseSlashes: true }],
    ['2.1.0', { allowWildcardsInIdentityTemplates: true }, { refuseGlobs: false }],
    ['openbao-2.6.1', { allowWildcardsInIdentityTemplates: true }, { refuseGlobs: false }],
    ['openbao-2.6.1', { allowSlashesInIdentityTemplates: true }, { refuseSlashes: false }],
  ])('a server of version %s with %j differs in %j alone', (version, settings, options) => {
    expect(aclOptionsFor(version, settings)).toEqual({ ...aclOptionsFor(version), ...options });
  });

  test('has the slash of a list if no pattern matches without it', () => {
    const acl = aclOf(rule('a/b/*', 'list'));
    expect(acl.allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(true);
    expect(acl.allow({ operation: 'list', path: 'a/b' }).allowed).toBe(false);
  });

  test('is an exact rule rather than a pattern for a list, and the rule with a slash rather than the one without', () => {
    const acl = aclOf([rule('a/b/', 'list'), rule('a/b', 'deny'), rule('a/+', 'deny')].join('\n'));
    expect(acl.allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(true);
    const folder = aclOf([rule('a/b', 'list'), rule('a/+', 'deny'), rule('a/+/', 'deny')].join('\n'));
    expect(folder.allow({ operation: 'list', path: 'a/b/' }).allowed).toBe(true);
  });

  test('matches a request without its leading slashes', () => {
    expect(aclOf(rule('a/b', 'read')).allow({ operation: 'read', path: '//a/b' }).allowed).toBe(true);
  });

  test('is not a rule whose template has no value', () => {
    const path = '{{identity.entity.id}}/a';
    expect(aclOf(rule(path, 'read')).capabilities(path)).toEqual(['deny']);
  });

  test('belongs to the namespace of its policy', () => {
    const acl = new Acl([parseAclPolicy(rule('a/*', 'read'), { namespace: 'ns1/' })]);
    expect(acl.capabilities('ns1/a/b')).toEqual(['read']);
    expect(acl.capabilities('a/b')).toEqual(['deny']);
  });
});

describe('the capabilities of a rule', () => {
  test.each([
    ['create', 'create'],
    ['read', 'read'],
    ['update', 'update'],
    ['delete', 'delete'],
    ['list', 'list'],
    ['patch', 'patch'],
    ['recover', 'recover'],
    ['renew', 'update'],
    ['revoke', 'update'],
  ] as const)('have to include the one for the operation: %s requires %s', (operation, capability) => {
    const all = ['create', 'read', 'update', 'delete', 'list', 'patch', 'recover'];
    const others = all.filter((other) => other !== capability);
    expect(aclOf(rule('a', capability)).allow({ operation, path: 'a' }).allowed).toBe(true);
    expect(aclOf(rule('a', ...others)).allow({ operation, path: 'a' }).allowed).toBe(false);
  });

  test('are not needed for help', () => {
    expect(aclOf('').allow({ operation: 'help', path: 'sys/raw' })).toEqual({ allowed: true, sudo: false });
  });

  test('decide on sudo separately from the permission', () => {
    expect(aclOf(rule('a', 'sudo')).allow({ operation: 'read', path: 'a' })).toEqual({
      allowed: false,
      sudo: true,
    });
    expect(aclOf(rule('a', 'sudo', 'read')).allow({ operation: 'read', path: 'a' })).toEqual({
      allowed: true,
      sudo: true,
    });
  });

  test('include everything for root', () => {
    const acl = Acl.root();
    expect(acl.allow({ operation: 'delete', path: 'ns1/sys/raw' })).toEqual({ allowed: true, sudo: true });
    expect(acl.capabilities('anything')).toEqual(['root']);
    expect(acl.reaches('secret/')).toBe(true);
  });

  test('have a fixed order', () => {
    const acl = aclOf(rule('a', 'sudo', 'update', 'patch', 'list', 'create', 'read', 'delete'));
    expect(acl.capabilities('a')).toEqual(['create', 'delete', 'list', 'patch', 'read', 'sudo', 'update']);
  });
});

describe('several policies with a rule for the same path', () => {
  test('grant the capabilities of all their rules', () => {
    expect(aclOf(rule('a', 'read'), rule('a', 'list')).capabilities('a')).toEqual(['list', 'read']);
  });

  test('grant nothing if one of them denies, in any order', () => {
    expect(aclOf(rule('a', 'read'), rule('a', 'deny')).capabilities('a')).toEqual(['deny']);
    expect(aclOf(rule('a', 'deny'), rule('a', 'read')).capabilities('a')).toEqual(['deny']);
  });

  test('allow the parameter values of all their rules, and any value if a list is empty', () => {
    const acl = aclOf(
      block('a', 'allowed_parameters = { p = ["x"], q = ["x"] }'),
      block('a', 'allowed_parameters = { p = ["y"], q = [] }'),
    );
    expect(updates(acl, { p: 'x' })).toBe(true);
    expect(updates(acl, { p: 'y' })).toBe(true);
    expect(updates(acl, { p: 'z' })).toBe(false);
    expect(updates(acl, { q: 'z' })).toBe(true);
  });

  test('keep the shorter wrapping TTLs', () => {
    const acl = aclOf(
      block('a', 'min_wrapping_ttl = 10\n max_wrapping_ttl = 100'),
      block('a', 'min_wrapping_ttl = 20\n max_wrapping_ttl = 50'),
    );
    expect(updates(acl, {}, 10)).toBe(true);
    expect(updates(acl, {}, 50)).toBe(true);
    expect(updates(acl, {}, 51)).toBe(false);
    expect(updates(acl, {}, 9)).toBe(false);
  });

  test('permit nothing if the wrapping TTLs exclude each other', () => {
    const acl = aclOf(block('a', 'min_wrapping_ttl = 60'), block('a', 'max_wrapping_ttl = 30'));
    expect([10, 30, 45, 60, 90].map((ttl) => updates(acl, {}, ttl))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a rule with wrapping TTLs', () => {
  test('permits only requests with response wrapping', () => {
    expect(updates(aclOf(block('a', 'min_wrapping_ttl = 1')), {})).toBe(false);
    expect(updates(aclOf(block('a', 'max_wrapping_ttl = 60')), {})).toBe(false);
    expect(updates(aclOf(block('a', 'max_wrapping_ttl = 60')), {}, 60)).toBe(true);
  });
});

describe('a rule with constraints on parameters', () => {
  test.each<[string, string, Readonly<Record<string, unknown>>, boolean]>([
    ['required and present', 'required_parameters = ["P"]', { p: 1 }, true],
    ['required and missing', 'required_parameters = ["p"]', { q: 1 }, false],
    ['absent in a request without parameters', 'allowed_parameters = { p = ["x"] }', {}, true],
    ['allowed with any value', 'allowed_parameters = { p = [] }', { p: 'x' }, true],
    ['allowed, in upper case', 'allowed_parameters = { p = [] }', { P: 'x' }, true],
    ['not among those allowed', 'allowed_parameters = { p = [] }', { q: 'x' }, false],
    [
      'allowed by a star beside other names',
      'allowed_parameters = { p = ["x"], "*" = [] }',
      { q: 'y' },
      true,
    ],
    ['limited to values beside a star', 'allowed_parameters = { p = ["x"], "*" = [] }', { p: 'y' }, false],
    ['denied with a value', 'denied_parameters = { p = ["x"] }', { p: 'x' }, false],
    ['denied with another value', 'denied_parameters = { p = ["x"] }', { p: 'y' }, true],
    ['denied with any value', 'denied_parameters = { p = [] }', { p: 'y' }, false],
    ['denied by a star', 'denied_parameters = { "*" = [] }', { q: 'y' }, false],
    [
      'denied and allowed',
      'denied_parameters = { p = ["x"] }\n allowed_parameters = { p = ["x"] }',
      { p: 'x' },
      false,
    ],
    ['a glob at the end', 'allowed_parameters = { p = ["x-*"] }', { p: 'x-1' }, true],
    ['a glob at the start', 'allowed_parameters = { p = ["*-x"] }', { p: '1-x' }, true],
    ['globs at both ends', 'allowed_parameters = { p = ["*x*"] }', { p: '1x1' }, true],
    ['a glob that does not match', 'allowed_parameters = { p = ["x-*"] }', { p: 'y-1' }, false],
    ['a text for a lone star, which is literal', 'allowed_parameters = { p = ["*"] }', { p: 'x' }, false],
    ['a boolean', 'allowed_parameters = { p = [true] }', { p: true }, true],
    ['a text in place of a boolean', 'allowed_parameters = { p = ["true"] }', { p: true }, false],
    ['a number, which never matches', 'allowed_parameters = { p = [5] }', { p: 5 }, false],
    ['a whole list', 'allowed_parameters = { p = [["x", "y"]] }', { p: ['x', 'y'] }, true],
    ['a list in another order', 'allowed_parameters = { p = [["x", "y"]] }', { p: ['y', 'x'] }, false],
    ['a list by its elements', 'allowed_parameters = { p = ["x", "y"] }', { p: ['y', 'x'] }, true],
    [
      'a list with an element that is not allowed',
      'allowed_parameters = { p = ["x", "y"] }',
      { p: ['x', 'z'] },
      false,
    ],
    ['a list in a text', 'allowed_parameters = { p = ["x", "y"] }', { p: 'x, y' }, true],
    ['a denied element of a list', 'denied_parameters = { p = ["x"] }', { p: ['a', 'x'] }, false],
    ['a denied element in a text', 'denied_parameters = { p = ["x"] }', { p: 'a,x' }, false],
    ['an object', 'allowed_parameters = { p = [{ k = "v" }] }', { p: { k: 'v' } }, true],
    ['another object', 'allowed_parameters = { p = [{ k = "v" }] }', { p: { k: 'w' } }, false],
    ['null', 'allowed_parameters = { p = ["x"] }', { p: null }, false],
    ['a name of the prototype', 'allowed_parameters = { p = [] }', { constructor: 'x' }, false],
  ])('decides on a parameter that is %s', (_what, body, data, allowed) => {
    expect(updates(aclOf(block('a', body)), data)).toBe(allowed);
  });

  test('compares lists as a whole on older servers', () => {
    const acl = aclWith({ perElementLists: false }, block('a', 'allowed_parameters = { p = ["x", "y"] }'));
    expect(updates(acl, { p: ['x', 'y'] })).toBe(false);
    expect(updates(acl, { p: 'x,y' })).toBe(false);
    const denying = aclWith({ perElementLists: false }, block('a', 'denied_parameters = { p = ["x"] }'));
    expect(updates(denying, { p: 'a,x' })).toBe(true);
  });

  test('ignores the parameters of lists and deletions', () => {
    const acl = aclOf('path "a" { capabilities = ["list", "delete"] required_parameters = ["p"] }');
    expect(acl.allow({ operation: 'list', path: 'a' }).allowed).toBe(true);
    expect(acl.allow({ operation: 'delete', path: 'a' }).allowed).toBe(true);
  });
});

describe('the visibility of a mount', () => {
  test.each([
    ['secret/data/a', true],
    ['secret/*', true],
    ['secret/data/*', true],
    ['sec*', true],
    ['+/data/a', true],
    ['+/data/*', true],
    ['secret', true],
    ['secre', false],
    ['other/data/a', false],
    ['other/+', false],
    ['+', true],
    ['+/+', true],
  ])('follows from a rule for the path %s: %s', (path, reaches) => {
    expect(aclOf(rule(path, 'read')).reaches('secret/')).toBe(reaches);
  });

  test('does not follow from rules that deny, or that have no capabilities', () => {
    expect(aclOf(rule('secret/a', 'deny')).reaches('secret/')).toBe(false);
    expect(aclOf(rule('secret/a')).reaches('secret/')).toBe(false);
    expect(aclOf(rule('+/a', 'deny')).reaches('secret/')).toBe(false);
  });
});

test('decisions are quick with many rules', async () => {
  const rules = Array.from({ length: 5_000 }, (_, i) =>
    [rule(`a/${i}`, 'read'), rule(`b/${i}/*`, 'read')].join('\n'),
  );
  const acl = aclOf(rules.join('\n'));
  const took = await computingTime(() => {
    for (let round = 0; round < 20_000; round++)
      acl.allow({ operation: 'read', path: `b/${round % 5_000}/x/y/z` });
  });
  expect(took).toBeLessThan(20_000);
});

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }`;
}

function block(path: string, body: string): string {
  return `path ${JSON.stringify(path)} {\n capabilities = ["update"]\n ${body}\n}`;
}

function aclOf(...policies: readonly string[]): Acl {
  return aclWith({}, ...policies);
}

function aclWith(options: AclOptions, ...policies: readonly string[]): Acl {
  return new Acl(
    policies.map((text) => parseAclPolicy(text)),
    options,
  );
}

function updates(acl: Acl, data: Readonly<Record<string, unknown>>, wrapTtl?: number): boolean {
  return acl.allow({ operation: 'update', path: 'a', data, wrapTtl }).allowed;
}

test('rules() returns the rules by path, separately for one path and for many', () => {
  const text = [
    'path "b" { capabilities = ["update", "read"] }',
    'path "a" { capabilities = [] }',
    'path "f/+/*" { capabilities = ["deny"] }',
    'path "d/+/e" { capabilities = ["read"] }',
    'path "c*" { capabilities = ["list"] }',
  ].join('\n');
  expect(new Acl([parseAclPolicy(text)]).rules()).toEqual({
    exact: [
      ['b', ['read', 'update']],
      ['a', ['deny']],
    ],
    globs: [
      ['c', ['list']],
      ['d/+/e', ['read']],
      ['f/+/', ['deny']],
    ],
  });
});

test('isRoot distinguishes root from policies that permit everything', () => {
  expect(Acl.root().isRoot).toBe(true);
  expect(new Acl([parseAclPolicy('path "*" { capabilities = ["sudo", "read"] }')]).isRoot).toBe(false);
});

test('changesWithTime is true for paths with the time, unless templates are literal', () => {
  const timed = parseAclPolicy(
    'path "kv/a" { capabilities = ["read"] }\npath "kv/{{  time.now }}" { capabilities = ["read"] }',
  );
  const named = parseAclPolicy('path "kv/{{identity.entity.name}}" { capabilities = ["read"] }');
  expect(new Acl([named, timed]).changesWithTime).toBe(true);
  expect(new Acl([named]).changesWithTime).toBe(false);
  expect(new Acl([timed], { templates: 'literal' }).changesWithTime).toBe(false);
});
