import { Decoder, encode, ExtData } from '@msgpack/msgpack';
import { Decimal, Dynamic, types, UNKNOWN, type Type } from '../../../src/plugin';
import { NULL_VALUE, valueCodec } from '../../../src/plugin/wire/dynamic-value';
import { MisfitError } from '../../../src/plugin/wire/encode-value';

const NO_BYTES = new Uint8Array(0);

function roundTrip(type: Type, value: unknown): unknown {
  const codec = valueCodec(type);
  return codec.decode(codec.encode(value));
}

/** Returns the decoded MessagePack of a value, with 64 bit integers as bigint. */
function raw(type: Type, value: unknown): unknown {
  return new Decoder({ useBigInt64: true }).decode(valueCodec(type).encode(value).msgpack);
}

function decoded(type: Type, content: unknown): unknown {
  return valueCodec(type).decode({ msgpack: encode(content, { useBigInt64: true }), json: NO_BYTES });
}

test.each<[string, Type, unknown]>([
  ['text', types.string, 'ä€🙂'],
  ['truth', types.bool, false],
  ['list', types.list(types.string), ['b', 'a']],
  ['empty set', types.set(types.number), []],
  ['map', types.map(types.integer), { a: 1, 'b c': 2 }],
  ['tuple', types.tuple(types.string, types.bool), ['a', true]],
  [
    'object',
    types.object({ a: types.string, b: types.list(types.number) }),
    { a: 'x', b: [1, 2.5, 10n ** 30n] },
  ],
  ['dynamic', types.dynamic, new Dynamic(['object', { a: ['map', 'number'] }], { a: { x: 2n ** 60n } })],
  ['dynamic null', types.dynamic, new Dynamic('string', null)],
  ['decimal', types.number, new Decimal('0.1234567890123456789')],
  ['odd key', types.map(types.string), JSON.parse('{"__proto__":"a","constructor":"b"}')],
  ['odd key within', types.list(types.map(types.number)), [JSON.parse('{"__proto__":1.5}')]],
])('values stay the same after encoding and decoding, as do null and unknown: %s', (_what, type, value) => {
  expect(roundTrip(type, value)).toEqual(value);
  expect(roundTrip(type, null)).toBeNull();
  expect(roundTrip(type, UNKNOWN)).toBe(UNKNOWN);
  expect(roundTrip(types.list(type), [value, null, UNKNOWN])).toEqual([value, null, UNKNOWN]);
  expect(roundTrip(types.map(type), { a: value, b: null, c: UNKNOWN })).toEqual({
    a: value,
    b: null,
    c: UNKNOWN,
  });
});

test('a missing object is encoded as null', () => {
  expect(NULL_VALUE.msgpack).toEqual(Uint8Array.of(0xc0));
  expect(valueCodec(types.object({})).decode(undefined)).toBeNull();
});

test.each<[unknown, unknown]>([
  [5, 5],
  [2 ** 40, 2 ** 40],
  [2n ** 60n, 2n ** 60n],
  [2n ** 64n, '18446744073709551616'],
  [0.1, '0.1'],
  [1e300, '1e+300'],
  [new Decimal('1e400'), '1e400'],
])('the number %s is sent as %s', (value, sent) => {
  expect(raw(types.number, value)).toEqual(sent);
});

test('numbers are decoded from integers, floats or texts', () => {
  expect(decoded(types.list(types.number), [1, 0.5, '0.1', 2n ** 63n - 1n, 9007199254740991n])).toEqual([
    1,
    0.5,
    0.1,
    2n ** 63n - 1n,
    9007199254740991,
  ]);
});

test('unknown values with refinements are decoded as unknown', () => {
  const refined = new ExtData(12, encode({ 1: false }));
  expect(decoded(types.object({ a: types.string }), { a: refined })).toEqual({ a: UNKNOWN });
});

test('missing attributes are encoded as null', () => {
  expect(raw(types.object({ a: types.string, b: types.string }), { a: 'x' })).toEqual({ a: 'x', b: null });
});

test.each<[Type, unknown, string]>([
  [types.string, 1, 'expected a string, got a number'],
  [types.object({ a: types.string }), { b: 1 }, 'b: the schema has no such attribute'],
  [
    types.object({ a: types.list(types.bool) }),
    { a: [true, 'secret'] },
    'a.1: expected a boolean, got a string',
  ],
  [types.map(types.number), { x: NaN }, 'x: expected a finite number, got a number'],
  [types.list(types.string), 'secret', 'expected an array, got a string'],
  [types.map(types.string), ['secret'], 'expected an object, got an array'],
  [types.tuple(types.string), [], 'expected an array of 1, got an array'],
  [types.dynamic, 'secret', 'expected a Dynamic, got a string'],
])('the error about a value of a wrong type contains its path, and not the value', (type, value, message) => {
  const encoding = () => valueCodec(type).encode(value);
  expect(encoding).toThrow(MisfitError);
  expect(encoding).toThrow(message);
  expect(encoding).not.toThrow('secret');
});

test('values in JSON are decoded', () => {
  const type = types.object({
    big: types.number,
    set: types.set(types.string),
    map: types.map(types.bool),
    tuple: types.tuple(types.string, types.integer),
    any: types.dynamic,
    gone: types.string,
  });
  const json = `{
    "big": 9007199254740993, "set": ["a"], "map": {"x": true}, "tuple": ["t", 1],
    "any": {"type": ["list", "number"], "value": [0.10, 1e400]}
  }`;
  expect(valueCodec(type).decode({ msgpack: NO_BYTES, json: Buffer.from(json) })).toEqual({
    big: 9007199254740993n,
    set: ['a'],
    map: { x: true },
    tuple: ['t', 1],
    any: new Dynamic(['list', 'number'], [0.1, new Decimal('1e400')]),
    gone: null,
  });
});
