import { literalText } from '../../../constructs/private/literal-text';

test.each([
  ['nothing but text', 'user:pin', 'user:pin'],
  ['nothing but a reference', '${var.pin}', ''],
  ['text before and after', 'user:${var.pin}!', 'user:!'],
  ['a template', 'a%{ if var.x }b%{ endif }c', 'abc'],
  ['escaped marks', '$${var.pin}%%{ if }', '$${var.pin}%%{ if }'],
  ['marks without a brace', '$5 and 5%', '$5 and 5%'],
  ['an argument of a function', '${file("pin.txt")}', ''],
  ['braces in an expression', '${{ a = 1 }["a"]}b', 'b'],
  ['a brace in a quoted text', '${f("}")}b', 'b'],
  ['a quotation mark in a quoted text', '${f("\\"}")}b', 'b'],
  ['a reference in a quoted text', '${f("${g("}")}")}b', 'b'],
  ['an expression that does not end', 'a${var.pin', 'a'],
])('literalText returns the text outside of expressions: %s', (_what, template, literal) => {
  expect(literalText(template)).toBe(literal);
});
