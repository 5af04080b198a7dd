import { findAclFault, hasUnquotedExpression } from '../../../../src/model';

test.each<[string, boolean]>([
  ['path "a" { capabilities = ["read"] }', false],
  ['path "${var.a}" { capabilities = ["read"] }', false],
  ['path "a" { capabilities = ${var.b} }', true],
  ['%{ if var.a }\npath "a" {}\n%{ endif }', true],
  ['path "a" {} # $5 {', false],
  ['# of ${var.a}\npath "a" {} // "${b}\n/* ${c}\n%{ if d } * */', false],
  ['path "a" {} /* ${c} */ ${d}', true],
  ['path "a" {} # "\n${d}', true],
  ['path "a#${b}" {} path "c//${b}" {}', false],
])('hasUnquotedExpression finds Terraform expressions outside of quotes: %s', (text, expected) => {
  expect(hasUnquotedExpression(text)).toBe(expected);
});

test.each<[string, string | undefined]>([
  ['path "a" { capabilities = ["read"] }', undefined],
  ['path "a" { capabilities = ["raed"] }', 'path "a": invalid capability "raed"'],
  ['path "a" { capabilities = ["${var.b}"] }', undefined],
  ['path "a" {\n${var.b}', undefined],
  ['# ${var.b}\npath "a" { capabilities = ["raed"] } /* ${ */', 'path "a": invalid capability "raed"'],
  [
    'path "a" {\n  capabilities = ${var.b}\n}\npath "b" { capabilities = ["raed"] }',
    'path "b": invalid capability "raed"',
  ],
])('findAclFault finds faults that occur with all values of the expressions: %s', (text, expected) => {
  expect(findAclFault(text)?.message).toBe(expected);
});
