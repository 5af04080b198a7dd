import { Decimal, Dynamic, isKnown, isWhollyKnown, UNKNOWN } from '../../../src/plugin';
import { nullsForUnknowns } from '../../../src/plugin/values/unknown';

test('isKnown distinguishes known values from unknown ones', () => {
  expect([null, '', 0, [UNKNOWN]].map(isKnown)).toEqual([true, true, true, true]);
  expect(isKnown(UNKNOWN)).toBe(false);
});

test('isWhollyKnown finds unknown values within lists and objects', () => {
  expect(isWhollyKnown({ a: [1, { b: null }], c: new Decimal('1e400') })).toBe(true);
  expect(isWhollyKnown({ a: [1, { b: UNKNOWN }] })).toBe(false);
  expect(isWhollyKnown(new Dynamic(['list', 'string'], [UNKNOWN]))).toBe(false);
});

test('nullsForUnknowns replaces unknown values by null', () => {
  const decimal = new Decimal('1e400');
  expect(nullsForUnknowns({ a: [1, UNKNOWN], b: { c: UNKNOWN, d: decimal }, e: 1n })).toEqual({
    a: [1, null],
    b: { c: null, d: decimal },
    e: 1n,
  });
});
