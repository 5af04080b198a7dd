import { lintAclPolicy, type LintOptions } from '../../../../src/model';

function found(path: string, options?: LintOptions): readonly string[] {
  const text = `path ${JSON.stringify(path)} { capabilities = ["read"] }\n`;
  return lintAclPolicy(text, options).map(({ id, cure }) => `${id}: ${cure}`);
}

const EXPRESSION =
  'regular-expression: write "+" for any one segment, "*" at the end for any rest, or a rule for each name';
const PLUS = 'literal-plus: write "+" for the whole segment, or a "*" at the end of the path';

test.each([
  ['v1/kv/app', 'api-prefix: write "kv/app"'],
  ['/v1/sys/mounts', 'api-prefix: write "sys/mounts"'],
  ['kv//app', 'double-slash: write "kv/app"'],
  ['kv/https://example.com', 'double-slash: write the mount and the path below it'],
  [' kv/app', 'outer-blanks: write "kv/app"'],
  ['kv/app ', 'outer-blanks: write "kv/app"'],
  ['kv/app /db', 'outer-blanks: write "kv/app/db"'],
  ['kv/my%20app', 'percent-encoding: write " "'],
  ['kv/app?list=true', 'query-in-path: remove it, and grant "list"'],
  ['kv/app?version=2', 'query-in-path: remove it, or constrain the parameter with allowed_parameters'],
  ['kv/app+/db', PLUS],
  ['kv/+app', PLUS],
  ['kv/.*', EXPRESSION],
  ['kv/.*/db', EXPRESSION],
  ['kv/[a-z]+/db', EXPRESSION],
  ['kv/(web|app)/db', EXPRESSION],
  ['kv/{web,app}/db', EXPRESSION],
  ['^kv/app', EXPRESSION],
  ['kv/app$', EXPRESSION],
  ['kv/\\d/db', EXPRESSION],
  ['kv/{identity.entity.name}/db', 'literal-template: write {{identity.entity.name}}'],
])('lint reports the path %j', (path, expected) => {
  expect(found(path)).toEqual([expected]);
});

test.each([
  'v1',
  'v10/app',
  'kv/v1/app',
  'kv/a b',
  'kv/why?/app',
  'kv/+/db',
  'kv/c++',
  'kv/jo+list@example.com',
  'kv/app.*',
  'kv/[app]',
  'kv/a(b)',
  'kv/${replace(var.a, "/[a-z]+/", "")}/db',
  'kv/{{identity.entity.name}}/db',
  'kv/{name}/db',
])('lint does not report the path %j', (path) => {
  expect(found(path)).toEqual([]);
});

test('lint does not report "v1/" where a mount has that name', () => {
  expect(found('v1/app', { mounts: new Map([['v1', 'kv-1']]) })).toEqual([]);
});
