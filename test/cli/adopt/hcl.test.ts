import { HclBlock, HclExpression, hclFile, printHcl } from '../../../src/cli/adopt/hcl/hcl';

test.each([
  ['plain', '"plain"'],
  ['a "quoted" \\ text', '"a \\"quoted\\" \\\\ text"'],
  ['two\r\nlines\tand a tab', '"two\\r\\nlines\\tand a tab"'],
  ['${x} %{y} $${z} $ { %', '"$${x} %%{y} $$${z} $ { %"'],
  ['\u001b[2J \u202e', '"\\u001b[2J \\u202e"'],
  ['\u{e0001}', '"\\U000e0001"'],
  ['ü 日本語 🔑', '"ü 日本語 🔑"'],
])('a text is escaped, so that it is literal and has no invisible characters: %j', (text, printed) => {
  expect(printHcl(text)).toBe(printed);
});

test.each([
  [3, '3'],
  [true, 'true'],
  [[], '[]'],
  [['a', 'b'], '["a", "b"]'],
  [{}, '{}'],
  [{ left: undefined }, '{}'],
  [new HclExpression('var.pin'), 'var.pin'],
])('the value %j is printed as %s', (value, printed) => {
  expect(printHcl(value)).toBe(printed);
});

test('a list that is too long for a line has a line for each value', () => {
  const path = 'secret/data/'.padEnd(50, 'x');
  expect(printHcl([path, path])).toBe(`[\n  "${path}",\n  "${path}",\n]`);
});

test('blocks are formatted as by terraform fmt', () => {
  const body = {
    cluster: 'us',
    pkcs11: new HclBlock({ pin_wo: new HclExpression('var.pin'), pin_wo_version: 1 }),
    name: 'signing',
    secondaries: { eu: { everything: true }, 'not a name': {} },
    usages: ['sign'],
    any_mount: undefined,
    empty: new HclBlock({}),
  };
  expect(
    hclFile([
      ['resource', new HclBlock(body, ['vaultadmin_managed_key', 'key-signing'])],
      ['variable', new HclBlock({}, ['pin'])],
    ]),
  ).toBe(`resource "vaultadmin_managed_key" "key-signing" {
  cluster = "us"
  name    = "signing"
  secondaries = {
    eu = {
      everything = true
    }
    "not a name" = {}
  }
  usages = ["sign"]

  pkcs11 {
    pin_wo         = var.pin
    pin_wo_version = 1
  }

  empty {}
}

variable "pin" {}
`);
});
