import { TerraformVariable } from 'cdktf';
import { Size } from '../../../constructs';
import { synthesize } from '../support/synthesize';

test.each([
  ['bytes', Size.bytes(1000), 1000],
  ['kibibytes', Size.kibibytes(2), 2048],
  ['mebibytes', Size.mebibytes(3), 3_145_728],
  ['gibibytes', Size.gibibytes(20), 21_474_836_480],
  ['tebibytes', Size.tebibytes(1), 1_099_511_627_776],
])('a Size is converted to bytes: %s', (_unit, size, bytes) => {
  expect(size.toBytes()).toBe(bytes);
});

test('a Size of an amount that only Terraform knows is an expression', () => {
  const stack = synthesize((scope) => {
    const amount = new TerraformVariable(scope, 'space', { type: 'number' }).numberValue;
    const [bytes, gibibytes] = [Size.bytes(amount), Size.gibibytes(amount)].map((size) => size.toBytes());
    scope.addOverride('locals', { bytes, gibibytes });
  });
  expect(stack).toMatchObject({
    locals: { bytes: '${var.space}', gibibytes: '${(var.space * 1073741824)}' },
  });
});

test.each([
  ['gibibytes', () => Size.gibibytes(-1), '-1'],
  ['bytes', () => Size.bytes(1.5), '1.5'],
  ['tebibytes', () => Size.tebibytes(undefined as unknown as number), 'undefined'],
])('an amount of %s that is not a whole number is refused', (unit, make, amount) => {
  expect(make).toThrow(
    `Size.${unit} received ${amount}; allowed: a whole number that is not negative, or a token; ` +
      `write for example Size.${unit}(12)`,
  );
});
