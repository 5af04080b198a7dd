import { VAULT_ENVIRONMENT } from '../../../src/model/sentinel';
import { check } from '../../../src/sentinel';

const findingsOf = (text: string): string[] =>
  check(text, 'p', VAULT_ENVIRONMENT).map(({ severity, problem, hint, source, span }) => {
    const { line, column } = source.position(span.start);
    return `${line}:${column} ${severity}: ${problem}${hint === undefined ? '' : `; ${hint}`}`;
  });

test('a correct policy has no findings', () => {
  const text = `
import "sockaddr"
import "strings"
param max default 5
mine = func(paths) {
	return any paths as _, p { strings.has_prefix(request.path, p) }
}
precond = rule { request.operation in ["create", "update"] and mine(["secret/"]) }
main = rule when precond {
	identity.entity.metadata.team is "a" and identity.groups.by_name["x"].id is not empty and
	sockaddr.is_contained("10.0.0.0/8", request.connection.remote_addr) and
	(request.data.anything.at.all else max) is 5 and mfa.methods.duo.valid and token.meta["x"] is "y"
}
`;
  expect(findingsOf(text)).toEqual([]);
});

test.each([
  ['main = rule { ', '1:15 error: expected an expression, found the end of the text'],
  ['mian = true', '1:1 warning: the policy has no "main"; did you mean "main" instead of "mian"?'],
  [
    'main = request.pth is ""',
    '1:16 warning: request has no "pth": it is always undefined; did you mean "path"?',
  ],
  [
    'main = request["pth"] is ""',
    '1:16 warning: request has no "pth": it is always undefined; did you mean "path"?',
  ],
  [
    'main = identity.entity.polices is empty',
    '1:24 warning: identity.entity has no "polices": it is always undefined; did you mean "policies"?',
  ],
  [
    'main = reqest.path is ""',
    '1:8 warning: "reqest" is never assigned: reading it is an error; did you mean "request"?',
  ],
  [
    'main = time.now.hour is 1',
    '1:8 warning: "time" is never assigned: reading it is an error; add: import "time"',
  ],
  [
    'import "strings"\nmain = strings.has_prefx("a", "b")',
    '2:16 warning: the import "strings" has no "has_prefx": it is always undefined; did you mean "has_prefix"?',
  ],
  ['import "tfplan/v2" as t\nmain = t.x', '1:8 error: the import "tfplan/v2" is not available'],
  ['param p\nmain = p', '1:7 error: the parameter "p" can never have a value; give it a default'],
  [
    'main = request.path is "/secret/a"',
    '1:24 warning: request.path never begins with a slash: the comparison is never true; remove the leading "/"',
  ],
  [
    'main = request.path matches "^v1/secret"',
    '1:29 warning: request.path never begins with "v1/": the comparison is never true; remove "v1/"',
  ],
  [
    'main = request.operation in ["read", "write"]',
    '1:38 warning: "write" is not an operation: the comparison is never true; ' +
      'allowed are create, read, update, patch, delete, list, help, revoke, renew, rollback',
  ],
  [
    'import "sockaddr"\nmain = sockaddr.is_contained(request.connection.remote_addr, "10.0.0.0/8")',
    '2:62 warning: sockaddr.is_contained takes the network first: an address never contains a network; swap the arguments',
  ],
  [
    'main = length("a", "b") is 1',
    '1:8 warning: length takes 1 argument, received 2: the call is always an error',
  ],
  [
    'import "strings"\nmain = strings.split("a")',
    '2:8 warning: strings.split takes 2 arguments, received 1: the call is always an error',
  ],
  [
    'import "time"\nmain = time.load("2026-01-01").year is 2026',
    '2:8 warning: time: "2026-01-01" is not a time as RFC 3339 has it: the call is always an error',
  ],
  [
    'import "sockaddr"\nmain = sockaddr.is_contained("10.0.0.0/33", "10.0.0.1")',
    '2:8 warning: sockaddr.is_contained: "10.0.0.0/33" is not an IP address or a CIDR block: the call is always an error',
  ],
  [
    'import "sockaddr"\nmain = sockaddr.is_contained("10.0.0/8", request.connection.remote_addr)',
    '2:8 warning: sockaddr.is_contained: "10.0.0/8" is not an IP address or a CIDR block: the call is always an error',
  ],
  [
    'f = func(a) {\n\treturn a\n}\nmain = f(1, 2)',
    '4:8 warning: the function has 1 parameter, received 2 arguments: the call is always an error',
  ],
  [
    'func f() {\n\treturn g()\n}\nfunc g() {\n\treturn f(true)\n}\nmain = g()',
    '5:9 warning: the function has 0 parameters, received 1 argument: the call is always an error',
  ],
  [
    'x = []\ny = append(x, 1)\nmain = y else x is [1]',
    '2:5 warning: append changes its argument: its result is always undefined; write append(…) as a statement',
  ],
  [
    'x = {"a": 1}\nappend([], (delete(x, "a")))\nmain = x is {}',
    '2:13 warning: delete changes its argument: its result is always undefined; write delete(…) as a statement',
  ],
  ['break\nmain = true', '1:1 error: "break" is only allowed in "for"'],
])('the policy %j has the finding %s', (text, finding) => {
  expect(findingsOf(text)).toEqual([finding]);
});

test.each([
  ['f = func(a) {\n\treturn a\n}\nf = func() {\n\treturn 1\n}\nmain = f() is 1'],
  ['f = func() {\n\treturn 1\n}\ncall = func(f) {\n\treturn f(1)\n}\nmain = call(func(x) { return x }) is 1'],
  ['f = func() {\n\treturn 1\n}\nmain = all [func(a) { return true }] as f { f(1) }'],
  ['length = func(a, b) {\n\treturn a + b\n}\nmain = length(1, 2) is 3'],
  ['import "collection"\nmain = collection.find([1], func(x) { return true }) is 1'],
  ['x = []\nf = func() {\n\t(append(x, 1))\n\treturn x\n}\nmain = f() is [1]'],
  ['append = func(list, x) {\n\treturn list + [x]\n}\nmain = append([], 1) is [1]'],
  ['main = print() and range(1, 2, 3) is empty'],
])('the policy %j has no findings, because its calls may be correct', (text) => {
  expect(findingsOf(text)).toEqual([]);
});

test('functions and variables that nothing reads are findings, including those that only unused functions read', () => {
  const text = `
used = func(a) {
	b = a
	return helper(a)
}
func helper(a) {
	return a
}
func unused(a) {
	return unused(a) + inner(a)
}
inner = func(a) { return a }
limit = 30
limit = length([1])
switch = false
if switch { late = [request.path] }
main = rule { used(1) is 1 }
`;
  expect(findingsOf(text)).toEqual([
    '3:2 warning: the variable "b" is never read; remove it',
    '9:6 warning: the function "unused" is never called by anything that is evaluated; call it, or remove it',
    '12:1 warning: the function "inner" is never called by anything that is evaluated; call it, or remove it',
    '13:1 warning: the variable "limit" is never read; remove it',
    '16:13 warning: the variable "late" is never read; remove it',
  ]);
});

test.each([
  [
    'a variable whose value is a call with an effect',
    'x = print(1)\ny = f(1)\nf = func(a) { print(a)\n\treturn a }\n',
  ],
  ['a name with an underscore', '_ = 1\n_later = func() { return 1 }\n'],
  [
    'elements of loops and parameters',
    'for [1] as i, x { print(x) }\nf = func(a, b) { return a }\nprint(f(1, 2))\n',
  ],
  ['a map that is changed', 'm = {}\nm["a"] = 1\n'],
  ['a function in a list', 'f = func() { return 1 }\nl = [f]\nprint(l)\n'],
])('the code is not reported as unused: %s', (_case, text) => {
  expect(findingsOf(`${text}main = true\n`)).toEqual([]);
});

test('a text without "main" is a module, whose functions and variables are read elsewhere', () => {
  const module = 'f = func() { return 1 }\nx = 1\n';
  expect(findingsOf(module).filter((each) => /never (?:read|called)/.test(each))).toEqual([]);
});

test('a feature that is newer than the version of the language is an error', () => {
  const text =
    'import "collection" as c\nimport "strings"\nparam p default []\nf = func() {\n\tcase {\n\t}\n\treturn p is defined\n}\n' +
    'main = rule { strings.replace("a", "b", "c") is "" and (map p as x { x }) is empty and f() and c.find(p, f) }\n';
  const problems = (version: string) =>
    check(text, 'p', { ...VAULT_ENVIRONMENT, language: { newest: version } }).map(({ problem }) =>
      problem.replace(/ requires Sentinel/, ''),
    );
  expect(problems('0.41')).toEqual([]);
  expect(problems('0.26')).toEqual(['strings.replace 0.27, and this is 0.26']);
  expect(problems('0.11')).toEqual([
    'the import "collection" 0.26, and this is 0.11',
    '"param" 0.13, and this is 0.11',
    '"case" 0.12, and this is 0.11',
    '"is defined" 0.21, and this is 0.11',
    'strings.replace 0.27, and this is 0.11',
    '"is empty" 0.17, and this is 0.11',
    '"map" 0.17, and this is 0.11',
  ]);
});
