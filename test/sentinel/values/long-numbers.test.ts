/**
 * Tests numbers of any length in texts.
 *
 * @counts-work
 */
import { parseJson } from '../../../src/sentinel';
import { decimalInt, parseFloatText, parseInteger, parseIntText } from '../../../src/sentinel/values/convert';
import { SourceText } from '../../../src/sentinel/source/source-text';
import { readTestConfiguration } from '../../../src/sentinel/testing/configuration/test-configuration';
import { MapValue } from '../../../src/sentinel/values/value';
import { countedWork } from '../../support/counted-work';
import { valueOf } from '../support/policies';

const DIGITS = '7'.repeat(1_000_000);
const ZEROS = '0'.repeat(1_000_000);
const LARGEST = 9_223_372_036_854_775_807n;

test.each([
  ['9223372036854775807', LARGEST],
  ['-9223372036854775808', -LARGEST - 1n],
  ['9223372036854775808', undefined],
  ['-9223372036854775809', undefined],
  [`${ZEROS}7`, 7n],
  ['-0', 0n],
  [DIGITS, undefined],
  ['', undefined],
  ['-', undefined],
  ['1a', undefined],
] as const)('decimalInt reads an int of 64 bits and nothing else (row %#)', (text, expected) => {
  expect(decimalInt(text)).toBe(expected);
});

test.each([
  ['9223372036854775807', LARGEST],
  ['9223372036854775808', 'too large'],
  ['0x7fffffffffffffff', LARGEST],
  ['0X8000000000000000', 'too large'],
  ['0777777777777777777777', LARGEST],
  ['01000000000000000000000', 'too large'],
  [`0x${ZEROS}f`, 15n],
  [`${ZEROS}17`, 15n],
  [DIGITS, 'too large'],
  [`0x${DIGITS}`, 'too large'],
  [`0${DIGITS}`, 'too large'],
  ['0', 0n],
  ['08', 'malformed'],
  ['0x', 'malformed'],
] as const)('parseInteger has the limit of 64 bits in each notation (row %#)', (text, expected) => {
  expect(parseInteger(text)).toBe(expected);
});

/** The maximum work. Converting a million digits would take 4,000 times as much. */
const MOST_WORK = 1_000_000;

test.each<readonly [name: string, read: () => unknown, expected: unknown]>([
  ['json.unmarshal', () => parseJson(DIGITS), Infinity],
  ['json.unmarshal of a negative number', () => parseJson(`-${DIGITS}`), -Infinity],
  ['int', () => outcome(() => parseIntText(DIGITS)), 'value out of range'],
  ['float', () => outcome(() => parseFloatText(DIGITS)), 'value out of range'],
  ['a mock in HCL', () => mock(DIGITS), { kind: 'data', data: new MapValue([['a', Infinity]]) }],
  [
    'a key of a path in maps',
    () => valueOf(`maps.get({"a": 1}, "${DIGITS}")`, 'import "collection/maps" as maps'),
    'undefined',
  ],
  [
    'version.new',
    () => valueOf(`version.new("1.${DIGITS}")`, 'import "version"'),
    ': a number is larger than 9223372036854775807',
  ],
  [
    'the parts of a pre-release',
    () => valueOf(`version.new("1.0.0-${DIGITS}").gt("1.0.0-${DIGITS}1")`, 'import "version"'),
    'false',
  ],
])('%s does not convert a million digits', (_, read, expected) => {
  let result: unknown;
  expect(countedWork(() => (result = read()))).toBeLessThan(MOST_WORK);
  if (typeof expected === 'string') expect(result).toContain(expected);
  else expect(result).toEqual(expected);
});

test('a number of a pre-release with more than 64 bits is a text', () => {
  const order = (other: string) =>
    valueOf(`version.new("1.0.0-9223372036854775808").compare("1.0.0-${other}")`, 'import "version"');
  expect(order('9223372036854775807')).toBe('1');
  expect(order('a')).toBe('-1');
});

function outcome(read: () => unknown): string {
  try {
    return String(read());
  } catch (error) {
    return (error as Error).message;
  }
}

function mock(digits: string): unknown {
  const text = `mock "m" {\n data = {\n a = ${digits}\n}\n}\n`;
  return readTestConfiguration(new SourceText('it.hcl', text)).imports.get('m');
}
