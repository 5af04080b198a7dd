import { parseAclPolicy, requestText, upgradeImpacts, type UpgradeImpact } from '../../../src/model';

function impacts(text: string, from: string, to: string): readonly string[] {
  return upgradeImpacts([{ name: 'app', policy: parseAclPolicy(text) }], from, to).map(shown);
}

function shown(impact: UpgradeImpact): string {
  switch (impact.kind) {
    case 'decision':
      return `${impact.change.becomes} ${impact.change.operation} ${impact.change.pattern}`;
    case 'untidy-path':
      return `untidy-path ${impact.path}: ${requestText(impact.witness)}`;
    case 'template':
      return `template ${impact.path} with ${impact.value}: ${impact.change.becomes} ${requestText(impact.change.witness)}`;
    case 'set-twice':
      return `set-twice: ${impact.witness ? requestText(impact.witness) : 'nothing'}`;
  }
}

const LISTS = 'path "a" { capabilities = ["update"] denied_parameters = { p = ["x"] } }';
const FOLDERS = 'path "kv/*" { capabilities = ["list"] }\npath "kv/team/+" { capabilities = ["deny"] }';
const UNTIDY = 'path "a//b" { capabilities = ["read"] }\npath "a/*" { capabilities = ["read"] }';
const BOTH = 'path "a//b" { capabilities = ["update"] denied_parameters = { p = ["x"] } }';
const TEMPLATE = 'path "a/{{identity.entity.name}}/*" { capabilities = ["read"] }';
const read = (path: string) => `path "${path}" { capabilities = ["read"] }\n`;
const TWICE = 'path "a" {\n capabilities = ["read"]\n capabilities = ["list"]\n}';

test.each<[string, string, string, string, readonly string[]]>([
  ['lists in parameters', LISTS, '1.20.99', '1.21.0', ['denied update a']],
  ['lists in parameters, compared in that way already', LISTS, '1.21.0', '2.0.2', []],
  ['lists of folders', FOLDERS, '2.0.2', '2.0.3', ['denied list kv/team/', 'allowed list kv/team/+/']],
  ['lists of folders, before and after', FOLDERS, '2.0.3', '2.1.0', []],
  ['untidy paths of an old line', UNTIDY, '1.19.15', '1.19.16', ['untidy-path a//b: read a//b']],
  [
    'untidy paths of an old line, a later patch',
    UNTIDY,
    '1.19.15',
    '1.19.17',
    ['untidy-path a//b: read a//b'],
  ],
  ['a dot at the beginning', read('./b'), '1.18', '2.0', ['untidy-path ./b: read ./b']],
  ['a dot in the middle', read('a/./b'), '1.18', '2.0', ['untidy-path a/./b: read a/./b']],
  ['dots at the end', read('a/..'), '1.18', '2.0', ['untidy-path a/..: read a/..']],
  ['dots in a name', read('a/..b/c..'), '1.18', '2.0', []],
  ['an untidy pattern', read('a//+/*'), '1.18', '2.0', ['untidy-path a//+/*: read a//example/example']],
  [
    'an untidy path that is written twice',
    read('a//b') + read('a//b'),
    '1.18',
    '2.0',
    ['untidy-path a//b: read a//b'],
  ],
  [
    'each operation of an untidy path that its rule allows',
    'path "a//b" { capabilities = ["patch"] }',
    '1.18',
    '2.0',
    ['untidy-path a//b: patch a//b'],
  ],
  ['an untidy path that is denied anyway', 'path "a//b" { capabilities = ["deny"] }', '1.18', '2.0', []],
  ['lists in parameters of an untidy path, which is refused already', BOTH, '1.20.99', '1.21.0', []],
  ['untidy paths, by the line', UNTIDY, '1.20.9', '1.21.5', ['untidy-path a//b: read a//b']],
  ['untidy paths, refused already', UNTIDY, '1.19.16', '2.0.0', []],
  ['untidy paths, still served', UNTIDY, '1.18.0', '1.21.4', []],
  [
    'globs in templates',
    TEMPLATE,
    '1.18',
    '2.1',
    ['template a/{{identity.entity.name}}/* with +: denied read a/example/example'],
  ],
  ['globs in templates, refused already', TEMPLATE, '2.0.1', '2.1', []],
  ['ids and times hold no globs', read('a/{{identity.entity.id}}/{{time.now}}'), '1.18', '2.1', []],
  [
    'metadata called id',
    read('a/{{identity.entity.metadata.id}}'),
    '1.18',
    '2.1',
    ['template a/{{identity.entity.metadata.id}} with +: denied read a/example'],
  ],
  [
    'a template in the middle of a name',
    read('a/b-{{identity.groups.names.x.name}}-c'),
    '1.18',
    '2.1',
    ['template a/b-{{identity.groups.names.x.name}}-c with +: denied read a/b-+-c'],
  ],
  [
    'a denying rule that is left out',
    `${read('a/*')}path "a/{{identity.entity.name}}" { capabilities = ["deny"] }`,
    '1.18',
    '2.1',
    ['template a/{{identity.entity.name}} with +: allowed read a/example'],
  ],
  [
    'a template whose rule decides, beside one whose rule does not',
    `${read('a/{{identity.entity.name}}')}path "b/{{identity.entity.name}}" {}`,
    '1.18',
    '2.1',
    ['template a/{{identity.entity.name}} with +: denied read a/example'],
  ],
  ['a templated rule that grants nothing', 'path "{{identity.entity.name}}" {}', '1.18', '2.1', []],
  ['an argument that is set twice', TWICE, '2.0.0', '2.1.0', ['set-twice: read a']],
  ['an argument that is set twice, refused already', TWICE, '2.1.0', '2.2.0', []],
  [
    'an argument that is set twice, where nothing is allowed',
    'path "a" {\n policy = "deny"\n policy = "deny"\n}',
    '2.0.0',
    '2.1.0',
    ['set-twice: nothing'],
  ],
])('upgradeImpacts finds exactly the changed behavior: %s', (_what, text, from, to, expected) => {
  expect(impacts(text, from, to)).toStrictEqual(expected);
});
