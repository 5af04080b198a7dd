import { parseJson, stringifyJson } from '../../../../src/emulator/core/primitives/json';

describe('JSON of requests and stored values', () => {
  it('integers that numbers would round are kept', () => {
    const text =
      '{"slot":2305843009213693953,"small":1,"float":0.12345678901234567,"text":"1234567890123456789"}';
    expect(parseJson(text)).toEqual({
      slot: 2305843009213693953n,
      small: 1,
      float: 0.12345678901234566,
      text: '1234567890123456789',
    });
    expect(stringifyJson(parseJson('{"a":[2305843009213693953,1]}'))).toBe('{"a":[2305843009213693953,1]}');
    expect(stringifyJson({ a: undefined, b: null })).toBe('{"b":null}');
  });

  it('a text that is not JSON is refused', () => {
    expect(() => parseJson('{')).toThrow(SyntaxError);
    expect(() => parseJson('{"a": 1234567890123456789')).toThrow(SyntaxError);
  });
});
