import { parseAclPolicy, upgradeImpacts, type UpgradeImpact } from '../../../src/model';

function impacts(text: string, from: string, to: string): readonly string[] {
  return upgradeImpacts([{ name: 'app', policy: parseAclPolicy(text) }], from, to).map(shown);
}

function shown(impact: UpgradeImpact): string {
  if (impact.kind === 'decision')
    return `${impact.change.becomes} ${impact.change.operation} ${impact.change.pattern}`;
  return impact.kind === 'set-twice' ? impact.kind : `${impact.kind} ${impact.path}`;
}

const LISTS = 'path "a" { capabilities = ["update"] denied_parameters = { p = ["x"] } }';
const FOLDERS = 'path "kv/*" { capabilities = ["list"] }\npath "kv/team/+" { capabilities = ["deny"] }';
const UNTIDY = 'path "a//b" { capabilities = ["read"] }\npath "a/*" { capabilities = ["read"] }';
const BOTH = 'path "a//b" { capabilities = ["update"] denied_parameters = { p = ["x"] } }';
const TEMPLATE = 'path "a/{{identity.entity.id}}/*" { capabilities = ["read"] }';
const TWICE = 'path "a" {\n capabilities = ["read"]\n capabilities = ["list"]\n}';

test.each<[string, string, string, string, readonly string[]]>([
  ['lists in parameters', LISTS, '1.20.99', '1.21.0', ['denied update a']],
  ['lists in parameters, known already', LISTS, '1.21.0', '2.0.2', []],
  ['lists of folders', FOLDERS, '2.0.2', '2.0.3', ['denied list kv/team/', 'allowed list kv/team/+/']],
  ['lists of folders, before and after', FOLDERS, '2.0.3', '2.1.0', []],
  ['untidy paths of an old line', UNTIDY, '1.19.15', '1.19.16', ['untidy-path a//b']],
  ['untidy paths of an old line, a later patch', UNTIDY, '1.19.15', '1.19.17', ['untidy-path a//b']],
  ['a dot at the beginning', 'path "./b" { capabilities = ["read"] }', '1.18', '2.0', ['untidy-path ./b']],
  ['a dot in the middle', 'path "a/./b" { capabilities = ["read"] }', '1.18', '2.0', ['untidy-path a/./b']],
  ['dots at the end', 'path "a/.." { capabilities = ["read"] }', '1.18', '2.0', ['untidy-path a/..']],
  ['dots in a name', 'path "a/..b/c.." { capabilities = ["read"] }', '1.18', '2.0', []],
  ['lists in parameters of an untidy path, which is refused already', BOTH, '1.20.99', '1.21.0', []],
  ['untidy paths, by the line', UNTIDY, '1.20.9', '1.21.5', ['untidy-path a//b']],
  ['untidy paths, refused already', UNTIDY, '1.19.16', '2.0.0', []],
  ['untidy paths, not yet', UNTIDY, '1.18.0', '1.21.4', []],
  ['globs in templates', TEMPLATE, '1.18', '2.1', ['template a/{{identity.entity.id}}/*']],
  ['globs in templates, refused already', TEMPLATE, '2.0.1', '2.1', []],
  ['an argument that is set twice', TWICE, '2.0.0', '2.1.0', ['set-twice']],
  ['an argument that is set twice, refused already', TWICE, '2.1.0', '2.2.0', []],
])('%s', (_what, text, from, to, expected) => {
  expect(impacts(text, from, to)).toEqual(expected);
});
