import fc from 'fast-check';
import { formatAcl } from '../../src/policy/format-acl';
import { AclPolicyError, parseAclPolicy } from '../../src/model';
import {
  check,
  evaluate,
  format,
  fromHost,
  parse,
  SentinelError,
  SentinelSyntaxError,
} from '../../src/sentinel';
import { VAULT_ENVIRONMENT } from '../../src/model/sentinel';
import { fuzz } from './support/fuzz';
import {
  ACL as ACL_GRAMMAR,
  aclPolicy,
  SENTINEL as SENTINEL_GRAMMAR,
  sentinelPolicy,
} from './support/grammars';
import { madeBy, textsOf } from './support/hostile';

const ACL = [
  'path "secret/data/*" {\n  capabilities = ["read", "list"]\n}\n',
  'path "a/+/b" {\n  policy = "write"\n  min_wrapping_ttl = "1s"\n  max_wrapping_ttl = 90\n}\n',
  'path "secret/*" {\n  capabilities = ["create"]\n  allowed_parameters = {\n    "a" = ["x", 1, true]\n    "*" = []\n  }\n}\n',
  'path "x" { capabilities = ["deny"] } # comment\npath "y" { // other\n  capabilities = [\n    "sudo",\n  ]\n}\n/* end\n */\n',
  'path "z" {\n  capabilities = ["read"]\n  control_group = {\n    factor "f" {\n      identity {\n        group_names = ["g"]\n        approvals = 1\n      }\n    }\n  }\n}\n',
  'path "h" {\n  policy = <<EOT\nread\nEOT\n}\n',
];
const ACL_JSON = [
  '{"path":{"secret/*":{"capabilities":["read","list"]},"a":{"policy":"write"}}}',
  '{"path":[{"a":[{"capabilities":["read"],"allowed_parameters":{"x":[1,"y",null]}}]}]}',
];
const HCL_PIECES = [
  ...[
    'path "a" {',
    'capabilities = ["read"]',
    '}',
    '{',
    '[',
    ']',
    '"',
    '\\"',
    '\\u0041',
    '\\U0010ffff',
    '\\x4',
    '${',
    '}"',
    '${"${"',
  ],
  ...[
    '<<EOT\n',
    '<<-EOT\n',
    'EOT\n',
    '\nEOT',
    '#',
    '//',
    '/*',
    '*/',
    '\n',
    '\r\n',
    ' ',
    '\t',
    '=',
    ',',
    '.',
    '-',
    '0x1F',
    '1e9',
    '08',
    'true',
  ],
];
const JSON_PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'null',
  'true',
  '1e999',
  '-',
  '\\u00',
  '\\ud800',
  '"path"',
  '"__proto__"',
  '{"a":',
  '[[',
];

const acl = fc.oneof(
  textsOf(HCL_PIECES, ACL, madeBy(ACL_GRAMMAR, aclPolicy)),
  textsOf(JSON_PIECES, ACL_JSON),
);

/** Parses a policy, or returns why the server would refuse it. */
function outcome(read: typeof parseAclPolicy, text: string): unknown {
  try {
    return read(text).rules;
  } catch (error) {
    if (!(error instanceof AclPolicyError)) throw error;
    if (error.message === '') throw new Error('refused without a reason');
    return undefined;
  }
}

fuzz('ACL policies, as HCL and as JSON, are read or refused', {
  inputs: acl,
  subject: parseAclPolicy,
  planted: (text: string) => {
    // The planted fault: reads the character after an escape without checking that there is one.
    if (/\\[uU][0-9a-f]{0,3}"/.test(text))
      throw new TypeError("Cannot read properties of undefined (reading 'codePointAt')");
    return parseAclPolicy(text);
  },
  check: (read, text) => void outcome(read, text),
});

fuzz('formatting an ACL policy does not change its meaning', {
  inputs: textsOf(HCL_PIECES, ACL, madeBy(ACL_GRAMMAR, aclPolicy)),
  subject: formatAcl,
  planted: (text: string) => formatAcl(text).replace(/ *#.*$/gm, ''),
  check: (layOut, text) => {
    const rules = outcome(parseAclPolicy, text);
    if (rules === undefined) return;
    const laidOut = layOut(text);
    expect(outcome(parseAclPolicy, laidOut)).toEqual(rules);
    expect(layOut(laidOut)).toBe(laidOut);
  },
});

const SENTINEL = [
  'import "time"\nimport "strings"\n\nworkhours = func() {\n\treturn time.now.hour > 8 and time.now.hour < 18\n}\n\nmain = rule when request.operation is "update" {\n\tworkhours() and strings.has_prefix(request.path, "secret/")\n}\n',
  'a = [1, 2.5, "x", {"k": null}]\nfor a as i, v {\n\tif v is 1 { continue } else { break }\n}\nmain = rule { all a as v { v is not undefined else true } }\n',
  'param limit default 10\nx = case limit {\n\twhen 10: "a"\n\telse: "b"\n}\nprint("x", x)\nmain = rule { any [1, 2] as n { n * 2 >= limit } or x matches "^[ab]$" }\n',
  '# doc\nmain = rule {\n\trequest.data.a[0:2] contains "b" and // why\n\tlength(request.path) in [1, 2]\n}\n',
];
const SENTINEL_PIECES = [
  ...[
    'main = rule {',
    'rule when ',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    'func(a) {',
    'return ',
    'for x as k, v {',
    'if ',
    'else ',
    'case ',
  ],
  ...[
    'when ',
    'import "',
    'param ',
    ' default ',
    'all ',
    'any ',
    'filter ',
    'map ',
    ' as ',
    ' is ',
    ' is not ',
    ' matches ',
    ' contains ',
    ' in ',
  ],
  ...[
    ' and ',
    ' or ',
    ' xor ',
    'not ',
    'undefined',
    'null',
    'true',
    '1.5e3',
    '0x1f',
    '"a"',
    '"\\x"',
    '`',
    '\n',
    '\t',
    '//',
    '#',
    '/*',
    '*/',
    '+',
    '-',
    '*',
  ],
  ...[
    '/',
    '%',
    '==',
    '!=',
    '<=',
    '>',
    '=',
    '+=',
    '.',
    ',',
    ':',
    ';',
    'a',
    'request',
    'print("x")',
    'length(',
    'append(',
    'x = x(',
    'x = func() { return x() }',
  ],
];
const sentinel = textsOf(SENTINEL_PIECES, SENTINEL, madeBy(SENTINEL_GRAMMAR, sentinelPolicy));

function syntaxFault(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SentinelSyntaxError)) throw error;
    if (error.describe() === '') throw new Error('refused without a reason');
    return undefined;
  }
}

fuzz('Sentinel policies are checked and evaluated, or refused', {
  inputs: sentinel,
  subject: parse,
  planted: (text: string, name: string) => {
    if (/`[^`]*$/.test(text)) throw new RangeError('Invalid string length');
    return parse(text, name);
  },
  check: (read, text) => {
    check(text, 'a.sentinel', VAULT_ENVIRONMENT);
    const file = syntaxFault(() => read(text, 'a.sentinel')) as ReturnType<typeof parse> | undefined;
    if (file === undefined) return;
    try {
      const globals = new Map([
        ['request', fromHost({ path: 'secret/a', operation: 'update', data: { a: 'abc' } })],
      ]);
      expect(typeof evaluate(file, { globals, now: 0n }).passed).toBe('boolean');
    } catch (error) {
      if (!(error instanceof SentinelError)) throw error;
    }
  },
});

fuzz('a formatted Sentinel policy parses, and formatting it again changes nothing', {
  inputs: sentinel,
  subject: format,
  planted: (text: string, name: string) => format(text, name).replace(/(#|\/\/).*\n/, '$1'),
  check: (layOut, text) => {
    if (syntaxFault(() => parse(text, 'a.sentinel')) === undefined) return;
    const laidOut = syntaxFault(() => layOut(text, 'a.sentinel'));
    if (typeof laidOut !== 'string') throw new Error('parses, and has no layout');
    expect(layOut(laidOut, 'a.sentinel')).toBe(laidOut);
  },
});
