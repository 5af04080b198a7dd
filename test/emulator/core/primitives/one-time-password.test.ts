import { base32, isPasscodeAt, passcodeAt } from '../../../../src/emulator/core/primitives/one-time-password';

/** The vectors of RFC 6238, appendix B: seconds, then the passcodes of the three hashes. */
const VECTORS: readonly (readonly [seconds: number, sha1: string, sha256: string, sha512: string])[] = [
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
];
const DIGITS = '1234567890'.repeat(7);
const keyOf = (length: number) => Buffer.from(DIGITS.slice(0, length));
const SETTINGS = { algorithm: 'SHA1', digits: 8, period: 30 } as const;

test.each(VECTORS)('passcodes at the second %d are those of RFC 6238', (seconds, ...expected) => {
  const now = seconds * 1000;
  expect([
    passcodeAt(keyOf(20), now, SETTINGS),
    passcodeAt(keyOf(32), now, { ...SETTINGS, algorithm: 'SHA256' }),
    passcodeAt(keyOf(64), now, { ...SETTINGS, algorithm: 'SHA512' }),
  ]).toEqual(expected);
  expect(passcodeAt(keyOf(20), now, { ...SETTINGS, digits: 6 })).toBe(expected[0].slice(2));
});

test.each([
  [0, [false, true, false]],
  [1, [true, true, true]],
])('a passcode is accepted within a skew of %d periods', (skew, accepted) => {
  const given = [-30, 0, 30].map((shift) => passcodeAt(keyOf(20), (1111111109 + shift) * 1000, SETTINGS));
  const settings = { ...SETTINGS, skew };
  expect(given.map((passcode) => isPasscodeAt(passcode, keyOf(20), 1111111109_000, settings))).toEqual(
    accepted,
  );
  const [, current = ''] = given;
  expect(isPasscodeAt(current.slice(1), keyOf(20), 1111111109_000, settings)).toBe(false);
  const far = passcodeAt(keyOf(20), (1111111109 + 60) * 1000, SETTINGS);
  expect(isPasscodeAt(far, keyOf(20), 1111111109_000, settings)).toBe(false);
});

/** The vectors of RFC 4648, without padding. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('the base32 form of %j is that of RFC 4648', (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected);
});
