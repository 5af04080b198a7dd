import { Decimal, numberFromFloat, numberFromText } from '../../../src/plugin/values/number';
import { computingTime } from '../../support/computing-time';

test.each<[string, unknown]>([
  ['0', 0],
  ['-0', 0],
  ['12', 12],
  ['-12.0', -12],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775809', -9223372036854775809n],
  ['0.1', 0.1],
  ['1.50', 1.5],
  ['1e300', 1e300],
  ['2.5e-7', 2.5e-7],
])('the text %s is a plain number', (text, value) => {
  expect(numberFromText(text)).toBe(value);
});

test.each(['0.1234567890123456789', '1e400', '9007199254740993.5'])('the text %s needs a Decimal', (text) => {
  expect(numberFromText(text)).toEqual(new Decimal(text));
});

test('a text of 200,000 digits is kept unchanged and processed quickly', async () => {
  const texts = [`1${'0'.repeat(200_000)}1.5`, '9'.repeat(200_000), `1${'0'.repeat(200_000)}`];
  const took = await computingTime(() =>
    expect(texts.map(numberFromText)).toEqual(texts.map((text) => new Decimal(text))),
  );
  expect(took).toBeLessThan(5_000);
  expect(numberFromText('9'.repeat(1_000))).toBe(BigInt('9'.repeat(1_000)));
});

test('a Decimal converts to the nearest number', () => {
  expect(new Decimal('0.1234567890123456789').toNumber()).toBe(0.12345678901234568);
  expect(String(new Decimal('1e400'))).toBe('1e400');
});

test.each<[number, unknown]>([
  [0.5, 0.5],
  [-3, -3],
  [2 ** 53, 9007199254740992n],
  [-(2 ** 70), -(2n ** 70n)],
  [2 ** -30, new Decimal('931322574615478515625e-30')],
  [0.1, new Decimal('1000000000000000055511151231257827021181583404541015625e-55')],
])('the binary value %d is exact', (float, value) => {
  expect(numberFromFloat(float)).toEqual(value);
});
