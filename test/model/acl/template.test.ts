/** Tests templates in paths. The identity and the time are the same in all tests. */
import { parseAclPolicy, type AclIdentity } from '../../../src/model';
import { rulesOf } from '../../../src/model/acl/acl';
import { UNCOUNTED } from '../../../src/model/acl/effort';
import { mayBeFilledAs } from '../../../src/model/acl/template-paths';
import { isChosenByPeople, selectorsOf, withValues } from '../../../src/model/acl/template';

const identity: AclIdentity = {
  entity: {
    id: 'entity-1',
    name: 'ann',
    metadata: { team: 'ops', 'cost.center': '7' },
    aliases: [
      { mountAccessor: 'other', id: 'alias-0', name: 'other-ann' },
      {
        mountAccessor: 'auth_1',
        id: 'alias-1',
        name: 'ann@x',
        metadata: { a: 'b' },
        customMetadata: { 'c.d': 'e' },
      },
    ],
  },
  groups: [
    { id: 'group-0', name: 'admins' },
    { id: 'group-1', name: 'staff', metadata: { floor: '3' } },
  ],
};
const NOW = 1_700_000_000.5;

/** Returns the path with its templates filled in; `undefined` if the rule is left out. */
function filled(template: string, who = identity, refuseGlobs?: boolean): string | undefined {
  const policy = parseAclPolicy(`path "${template}" { capabilities = ["read"] }`);
  return rulesOf(policy, { identity: who, now: NOW, refuseGlobs })[0]?.path;
}

test.each<readonly [string, string | undefined]>([
  ['plain/path', 'plain/path'],
  ['a/{{identity.entity.id}}/*', 'a/entity-1/*'],
  ['{{ identity.entity.name }}', 'ann'],
  ['/{{identity.entity.name}}', 'ann'],
  ['a/{{identity.entity.id}}-{{identity.entity.name}}', 'a/entity-1-ann'],
  ['{{identity.entity.metadata.team}}', 'ops'],
  ['{{identity.entity.metadata.cost.center}}', '7'],
  ['{{identity.entity.metadata.toString}}', undefined],
  ['{{identity.entity.metadata}}', undefined],
  ['{{identity.entity.name.more}}', undefined],
  ['{{identity.entity.aliases}}', undefined],
  ['{{identity.entity.other}}', undefined],
  ['{{identity.entity}}', undefined],
  ['{{identity.entity.aliases.auth_1.id}}', 'alias-1'],
  ['{{identity.entity.aliases.auth_1.name}}', 'ann@x'],
  ['{{identity.entity.aliases.auth_1.metadata.a}}', 'b'],
  ['{{identity.entity.aliases.auth_1.custom_metadata.c.d}}', 'e'],
  ['{{identity.entity.aliases.other.custom_metadata.c.d}}', undefined],
  ['{{identity.entity.aliases.auth_2.id}}', undefined],
  ['{{identity.groups.ids.group-1.name}}', 'staff'],
  ['{{identity.groups.names.staff.id}}', 'group-1'],
  ['{{identity.groups.names.staff.metadata.floor}}', '3'],
  ['{{identity.groups.names.group-1.id}}', undefined],
  ['{{identity.groups.ids.staff.id}}', undefined],
  ['{{identity.groups.other.staff.id}}', undefined],
  ['{{identity.other.names.staff.id}}', undefined],
  ['{{other.entity.id}}', undefined],
  ['{{time.now}}', '1700000000'],
  ['{{time.now.plus.1m}}', '1700000060'],
  ['{{time.now.minus.1.5h}}', '1699994600'],
  ['{{time.now.plus.soon}}', undefined],
  ['{{time.now.times.1m}}', undefined],
  ['{{time.now.plus}}', undefined],
  ['{{time.then}}', undefined],
  ['{{time.xnow}}', undefined],
])('the path %s becomes %j', (template, path) => {
  expect(filled(template)).toBe(path);
});

test('a rule is left out for a token without an identity, and for empty values', () => {
  expect(filled('a/{{identity.entity.id}}', {})).toBeUndefined();
  expect(filled('a/{{identity.groups.names.staff.id}}', {})).toBeUndefined();
  expect(filled('a/{{identity.entity.name}}', { entity: { id: 'x', name: '' } })).toBeUndefined();
  expect(filled('a/{{identity.entity.metadata.team}}', { entity: { id: 'x' } })).toBeUndefined();
  expect(filled('a/b', {})).toBe('a/b');
});

test.each(['a*', 'a+b'])(
  'a rule with a glob in its value, %s, is left out, except on older servers',
  (name) => {
    const who = { entity: { name } };
    expect(filled('{{identity.entity.name}}', who)).toBeUndefined();
    expect(filled('{{identity.entity.name}}', who, true)).toBeUndefined();
    expect(filled('{{identity.entity.name}}', who, false)).toBe(name);
  },
);

test('a templated rule changes only in its path, and rules without templates stay unchanged', () => {
  const text = 'path "{{time.now}}" { capabilities = ["read"] }\npath "b" { capabilities = ["list"] }';
  const policy = parseAclPolicy(text);
  const { rules } = policy;
  expect(rulesOf(policy, { now: NOW })).toEqual([{ ...rules[0], path: '1700000000' }, rules[1]]);
  expect(rulesOf(policy, { templates: 'literal' })).toEqual(rules);
});

test('the default time is that of the clock', () => {
  const before = Math.floor(Date.now() / 1000);
  const time = Number(
    rulesOf(parseAclPolicy('path "{{time.now}}" { capabilities = ["read"] }'), {})[0]!.path,
  );
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now() / 1000);
});

test.each(['a{{b', 'a}}b', 'a}}{{b', '{{a}}}}', '{{a{{b}}'])(
  'braces that do not pair up are refused: %s',
  (path) => {
    expect(() => parseAclPolicy(`path "${path}" { capabilities = ["read"] }`)).toThrow(
      'failed to validate policy templating: unbalanced templating characters',
    );
  },
);

describe('the paths that a template may match', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['kv/{{a}}', ['kv/x', 'kv/x/y', 'kv/x/'], ['kv/', 'kv', 'akv/x', 'kv']],
    ['kv/{{a}}/b', ['kv/x/b', 'kv/x/y/b', 'kv/x/b/'], ['kv//b', 'kv/x/c', 'kv/x/b/c', 'kv/x/bc']],
    ['kv/{{a}}-{{b}}/*', ['kv/x-y/', 'kv/x-y/z/w'], ['kv/x/z', 'kv/x-/z', 'kv/x-y']],
    ['kv/+/{{a}}/c', ['kv/x/y/c', 'kv//y/c'], ['kv/x/c', 'kx/x/y/c']],
    ['kv/{{a}}/*b', ['kv/x/*b'], ['kv/x/ab', 'kv/x/b']],
    ['{{a}}/+b.c', ['x/+b.c'], ['x/bb.c', 'x/+b-c', '/+b.c']],
    ['{{a}}{{b}}', ['xy'], ['x', '']],
  ])('do not depend on its values: %s', (path, paths, others) => {
    expect([...paths, ...others].filter((each) => mayBeFilledAs(path, each, UNCOUNTED))).toEqual(paths);
  });
});

test('the selectors of a path are found, and replaced by values', () => {
  expect(selectorsOf('a/b')).toEqual([]);
  expect(selectorsOf('{{ a.b }}/c/{{d}}-{{}}')).toEqual(['a.b', 'd', '']);
  expect(withValues('/{{ a.b }}/c/{{d}}', (selector) => `<${selector}>`)).toBe('<a.b>/c/<d>');
  expect(withValues('{{a}}/b', () => '/x')).toBe('x/b');
});

test.each([
  ['identity.entity.id', false],
  ['identity.entity.name', true],
  ['identity.entity.metadata.id', true],
  ['identity.entity.aliases.auth_1.id', false],
  ['identity.entity.aliases.auth_1.name', true],
  ['identity.entity.aliases.auth_1.metadata.id', true],
  ['identity.groups.ids.group-1.id', false],
  ['identity.groups.names.staff.id', false],
  ['identity.groups.names.staff.name', true],
  ['time.now', false],
])('people choose the text of %s: %s', (selector, expected) => {
  expect(isChosenByPeople(selector)).toBe(expected);
});
