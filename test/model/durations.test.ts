import { DurationError, formatDuration, parseDuration, tryParseDuration } from '../../src/model';

describe('parseDuration, which reads durations as the server does,', () => {
  test.each<[number | string, number]>([
    [90, 90],
    [1.9, 1],
    [-1.9, -1],
    ['', 0],
    ['0', 0],
    ['3600', 3600],
    ['+60', 60],
    ['-60', -60],
    ['10s', 10],
    ['1m', 60],
    ['24h', 86_400],
    ['7d', 604_800],
    ['-1d', -86_400],
    ['1h30m', 5_400],
    ['1h30m10s', 5_410],
    ['1.5h', 5_400],
    ['.5s', 0.5],
    ['1.s', 1],
    ['250ms', 0.25],
    ['100us', 1e-4],
    ['100\u00b5s', 1e-4],
    ['100\u03bcs', 1e-4],
    ['5ns', 5e-9],
    ['-1.5h', -5_400],
    ['+1h', 3_600],
  ])('the text %j is %d seconds', (value, seconds) => {
    expect(parseDuration(value)).toBeCloseTo(seconds, 9);
  });

  test.each<[number | string, string]>([
    ['h', 'time: invalid duration "h"'],
    ['abc', 'time: invalid duration "abc"'],
    [' 1s', 'time: invalid duration " 1s"'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['1.5', 'time: missing unit in duration "1.5"'],
    ['1h30', 'time: missing unit in duration "1h30"'],
    ['1x', 'time: unknown unit "x" in duration "1x"'],
    ['1d12h', 'time: unknown unit "d" in duration "1d12h"'],
    ['1s\n', 'time: unknown unit "s\\x0a" in duration "1s\\x0a"'],
    ['é"\\', 'time: invalid duration "\\xc3\\xa9\\"\\\\"'],
    ['xd', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['99999999999h', 'time: invalid duration "99999999999h"'],
    ['9223372037', 'multiplication of durations resulted in overflow, one operand may be too large'],
    [1e12, 'multiplication of durations resulted in overflow, one operand may be too large'],
    [NaN, 'multiplication of durations resulted in overflow, one operand may be too large'],
  ])('the text %j is refused', (value, message) => {
    expect(() => parseDuration(value)).toThrow(new DurationError(message));
  });
});

test('tryParseDuration returns undefined for a value that is not a duration', () => {
  expect([90, '1m30s', '', 'soon', '5 m', null, true].map(tryParseDuration)).toEqual([
    90,
    90,
    0,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('formatDuration, which writes durations as the server does,', () => {
  test.each([
    [0, '0s'],
    [1, '1s'],
    [45, '45s'],
    [60, '1m0s'],
    [90, '1m30s'],
    [3_600, '1h0m0s'],
    [5_400, '1h30m0s'],
    [2_764_800, '768h0m0s'],
    [1.5, '1.5s'],
    [61.25, '1m1.25s'],
    [0.25, '250ms'],
    [0.0001, '100\u00b5s'],
    [5e-9, '5ns'],
    [-90, '-1m30s'],
  ])('%d seconds are written as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
