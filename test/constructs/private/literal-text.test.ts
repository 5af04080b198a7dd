import { literalText, templateParts } from '../../../constructs/private/literal-text';
import { Random } from '../../model/support/random';
import { evaluated } from '../support/console';

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
  ['a brace in a comment', '${var.x /* } " */}b${var.y // }\n}c${var.z # "\n}d', 'bcd'],
  ['a brace in a heredoc', '${<<-E\n  }"\n  E\n}b', 'b'],
  ['an expression that does not end', 'a${var.pin', 'a'],
])('literalText returns the text outside of expressions: %s', (_what, template, literal) => {
  expect(literalText(template)).toBe(literal);
});

const PIECES = [
  ...['$', '%', '{', '}', '"', '"}', "'", '\\', '/*', '*/', '#', ' ', '\n', 'E\n', '?'],
  ...['$${', '%%{', '$${x}', '${"', '${<<E\n', '${', '%{ if true }', '%{ endif }'],
  ...['${x}', '${[x][0]}', '${{ a = x }.a}', '${"${x}"}', '${"}"}', '${"\\""}', '${"$${x}"}'],
  ...[
    '${x /* } */}',
    '${x /* " */}',
    '${x // }\n}',
    '${x # "\n}',
    '${<<E\n}\nE\n}',
    '${<<-E\n  "${x}\n  E\n}',
  ],
];

test('Terraform leaves every part of a template unchanged that templateParts reads as literal text', () => {
  const random = new Random(5);
  const templates = Array.from({ length: 3_000 }, () =>
    Array.from({ length: 1 + random.below(7) }, () => random.pick(PIECES)).join(''),
  );
  const files = Object.fromEntries(templates.map((text, index) => [`t${index}`, text]));
  const indexes = JSON.stringify(templates.map((_, index) => index));
  const results = evaluated<(string | null)[]>(
    { ...files, 'all.json': indexes },
    '[for i in jsondecode(file("all.json")) : try(templatefile("t${i}", { x = "value" }), null)]',
  );
  let valid = 0;
  for (const [index, template] of templates.entries()) {
    const shown = results[index];
    if (shown === null) continue;
    valid += 1;
    const parts = templateParts(template);
    const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const expected = parts.map(({ text, isLiteral }) =>
      isLiteral ? quoted(text.replace(/([$%])\1\{/g, '$1{')) : '[^]*',
    );
    expect({ template, shown }).toEqual({ template, shown: expect.stringMatching(`^${expected.join('')}$`) });
  }
  expect(valid).toBeGreaterThan(1_000);
});
