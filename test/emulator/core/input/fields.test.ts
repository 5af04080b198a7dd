import {
  FieldError,
  type FieldSchemaType,
  decodeField,
  decodeFields,
  parseBoolean,
} from '../../../../src/emulator/core/input/field-schemas';
import type { Json } from '../../../../src/emulator/core/primitives/json';

describe('the values of fields', () => {
  it.each<[FieldSchemaType, Json, unknown]>([
    ['string', 'a', 'a'],
    ['string', 7, '7'],
    ['string', true, '1'],
    ['string', null, ''],
    ['lower_case_string', 'MiXed', 'mixed'],
    ['boolean', true, true],
    ['boolean', 'true', true],
    ['boolean', 'F', false],
    ['boolean', '', false],
    ['boolean', 1, true],
    ['integer', 7, 7],
    ['integer', '7', 7],
    ['integer', '-7', -7],
    ['integer', '0x1041', 4161],
    ['integer', '', 0],
    ['duration', 90, 90],
    ['duration', '24h', 86_400],
    ['duration', '1m30s', 90],
    ['duration', '7d', 604_800],
    ['duration', '3600', 3600],
    ['duration', '1500ms', 1],
    ['duration', '', 0],
    ['signed_duration', '-1h', -3600],
    ['string_list', ['a ', 'b'], ['a', 'b']],
    ['string_list', 'a,b', ['a,b']],
    ['string_list', '', []],
    ['comma_string_list', 'a, b', ['a', 'b']],
    ['comma_string_list', ['a,b'], ['a,b']],
    ['comma_string_list', '', []],
    ['key_values', { a: 'b', n: 1 }, { a: 'b', n: '1' }],
    ['key_values', ['a=b=c'], { a: 'b=c' }],
    ['object', { a: [1] }, { a: [1] }],
    ['list', ['a', 1], ['a', 1]],
    ['any', { a: null }, { a: null }],
  ])('a field of type %s reads %j', (type, sent, decoded) => {
    expect(decodeField(type, sent)).toEqual(decoded);
  });

  it.each<[FieldSchemaType, Json, string]>([
    ['string', { a: 1 }, "'' expected type 'string', got unconvertible type 'map[string]interface {}'"],
    ['boolean', 'yes', "'' cannot parse value as 'bool': strconv.ParseBool: invalid syntax"],
    ['integer', '7.5', "'' cannot parse value as 'int': strconv.ParseInt: invalid syntax"],
    ['integer', 7.5, "'' cannot parse value as 'int': strconv.ParseInt: invalid syntax"],
    ['duration', 'soon', 'time: invalid duration "soon"'],
    ['duration', -1, "cannot provide negative value '-1'"],
    ['duration', [1], 'could not parse duration from input'],
    ['key_values', ['a'], 'invalid key pair "a"'],
    ['object', 'a', "'' expected a map, got 'string'"],
  ])('a field of type %s refuses %j', (type, sent, reason) => {
    expect(() => decodeField(type, sent)).toThrow(new FieldError(reason));
  });
});

it("a boolean field accepts the texts of Go's ParseBool", () => {
  expect(['1', 't', 'T', 'TRUE', 'true', 'True'].map(parseBoolean)).toEqual(Array(6).fill(true));
  expect(['0', 'f', 'F', 'FALSE', 'false', 'False'].map(parseBoolean)).toEqual(Array(6).fill(false));
  expect(['yes', 'tRUE', '2', '', 'constructor'].map(parseBoolean)).toEqual(Array(5).fill(undefined));
});

it('a field in the path takes precedence over the body, and has a default', () => {
  const schemas = {
    name: { type: 'string', path: true },
    ttl: { type: 'duration', default: 60 },
    note: { type: 'string' },
  } as const;
  expect(decodeFields(schemas, { name: 'body', extra: 1 }, { name: 'path' })).toEqual({
    name: 'path',
    ttl: 60,
    note: undefined,
  });
});
