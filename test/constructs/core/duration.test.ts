import { TerraformVariable, Token } from 'cdktf';
import { Duration } from '../../../constructs';
import { synthesize } from '../support/synthesize';

test.each([
  [Duration.seconds(90), 90, '90s'],
  [Duration.minutes(90), 5400, '90m'],
  [Duration.hours(24), 86_400, '24h'],
  [Duration.days(7), 604_800, '168h'],
])('a Duration is converted to seconds and to text: %s', (duration, seconds, text) => {
  expect(duration.toSeconds()).toBe(seconds);
  expect(duration.toString()).toBe(text);
});

test('a Duration of an amount that only Terraform knows is an expression', () => {
  const stack = synthesize((scope) => {
    const amount = new TerraformVariable(scope, 'hours', { type: 'number' }).numberValue;
    const duration = Duration.hours(amount);
    expect(Token.isUnresolved(duration.toSeconds())).toBe(true);
    scope.addOverride('locals', { seconds: duration.toSeconds(), text: duration.toString() });
  });
  expect(stack).toMatchObject({
    locals: { seconds: '${(var.hours * 3600)}', text: '${(var.hours * 3600)}' },
  });
});

test.each([
  ['hours', () => Duration.hours(-1), -1],
  ['minutes', () => Duration.minutes(1.5), 1.5],
  ['seconds', () => Duration.seconds(NaN), NaN],
  ['days', () => Duration.days('1' as unknown as number), '"1"'],
])('an amount of %s that is not a whole number is refused', (unit, make, amount) => {
  expect(make).toThrow(
    `Duration.${unit} received ${amount}; allowed: a whole number that is not negative, or a token; ` +
      `write for example Duration.${unit}(12)`,
  );
});
