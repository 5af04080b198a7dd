import { parseJson, stringifyJson } from '../../../src/client/answer/json';

test.each<[string, unknown]>([
  ['{"a":[1,"x",null,true]}', { a: [1, 'x', null, true] }],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['[-9007199254740993, 1]', [-9007199254740993n, 1]],
  ['18446744073709551615', 18446744073709551615n],
  ['{"text":"digits 12345678901234567890"}', { text: 'digits 12345678901234567890' }],
  ['[0.1234567890123456, 1e400]', [0.1234567890123456, Infinity]],
  ['[1234567890123456, 1.5, -0.25e2]', [1234567890123456, 1.5, -25]],
])('the text is parsed: %s', (text, value) => {
  expect(parseJson(text)).toStrictEqual(value);
});

test('a name such as __proto__ is treated like other names', () => {
  const value = parseJson('{"__proto__":{"polluted":1},"n":9007199254740993}') as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__', 'n']);
});

test.each(['', '{', '{"a":12345678901234567890,}', 'nope'])('%j is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('a number of more than a thousand characters is refused', () => {
  const digits = (count: number) => `{"a":[${'9'.repeat(count)}]}`;
  expect(parseJson(digits(1_000))).toEqual({ a: [BigInt('9'.repeat(1_000))] });
  expect(() => parseJson(digits(1_001))).toThrow(SyntaxError);
  expect(() => parseJson(`{"a":0.${'9'.repeat(1_000)}}`)).toThrow(SyntaxError);
  expect(parseJson(`{"a":"${'9'.repeat(1_001)}"}`)).toEqual({ a: '9'.repeat(1_001) });
});

test('integers are written with all their digits', () => {
  const value = { a: 18446744073709551615n, b: [1, 'x\n"', null], c: undefined, d: { e: false } };
  expect(stringifyJson(value)).toBe('{"a":18446744073709551615,"b":[1,"x\\n\\"",null],"d":{"e":false}}');
});
