import { decode, encode } from '@msgpack/msgpack';
import { Dynamic, types, type Type } from '../../../src/plugin';
import type { TypeJson } from '../../../src/plugin/values/type';
import { valueCodec } from '../../../src/plugin/wire/dynamic-value';
import { encodeMsgpack } from '../../../src/plugin/wire/msgpack';
import { parseExactJson } from '../../../src/plugin/wire/state-json';

const NO_BYTES = new Uint8Array(0);
const TOO_DEEP = /^a value is not valid: it is nested deeper than (100|300) levels$/;
/** A number of levels that would exhaust any stack. */
const VERY_DEEP = 200_000;

const decodeBytes = (type: Type, msgpack: Uint8Array) => valueCodec(type).decode({ msgpack, json: NO_BYTES });
const decodeJson = (type: Type, json: string) =>
  valueCodec(type).decode({ msgpack: NO_BYTES, json: Buffer.from(json) });

/** Returns nested arrays of one element each, with null in the innermost. */
function deepArrays(levels: number): Uint8Array {
  return Buffer.concat([Buffer.alloc(levels, 0x91), Buffer.of(0xc0)]);
}

/** Returns a dynamic value in MessagePack, which is its type as JSON and its value. */
function dynamicBytes(typeJson: string, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(0x92), encode(Buffer.from(typeJson)), value]);
}

const listType = (levels: number) => `${'["list",'.repeat(levels)}"string"${']'.repeat(levels)}`;
const objectType = (levels: number) => `${'["object",{"a":'.repeat(levels)}"string"${'}]'.repeat(levels)}`;

test.each<[what: string, act: () => unknown]>([
  ['MessagePack of a type without levels', () => decodeBytes(types.string, deepArrays(VERY_DEEP))],
  ['MessagePack of a list', () => decodeBytes(types.list(types.string), deepArrays(VERY_DEEP))],
  [
    'the value of a dynamic value',
    () => decodeBytes(types.dynamic, dynamicBytes('"string"', deepArrays(VERY_DEEP))),
  ],
  [
    'the type of a dynamic value: lists',
    () => decodeBytes(types.dynamic, dynamicBytes(listType(VERY_DEEP), Buffer.of(0xc0))),
  ],
  [
    'the type of a dynamic value: objects',
    () => decodeBytes(types.dynamic, dynamicBytes(objectType(VERY_DEEP), Buffer.of(0xc0))),
  ],
  [
    'dynamic values within each other',
    () => {
      const head = Buffer.concat([Buffer.of(0x92), encode(Buffer.from('"dynamic"'))]);
      const bytes = Buffer.concat([...Array.from({ length: 20_000 }, () => head), Buffer.of(0xc0)]);
      return decodeBytes(types.dynamic, bytes);
    },
  ],
  ['JSON of a state', () => decodeJson(types.list(types.string), '['.repeat(VERY_DEEP))],
  [
    'JSON of a state with a dynamic value',
    () => decodeJson(types.dynamic, `{"type":${listType(VERY_DEEP)},"value":null}`),
  ],
  ['JSON of a resource that is moved', () => parseExactJson(Buffer.from('{"a":'.repeat(VERY_DEEP)))],
  [
    'a dynamic value of a handler',
    () => {
      let value = new Dynamic('string', 'a');
      for (let level = 0; level < 10_000; level += 1) value = new Dynamic('dynamic', value);
      return valueCodec(types.dynamic).encode(value);
    },
  ],
  [
    'a dynamic value of a handler whose type is deep',
    () => {
      let type: TypeJson = 'string';
      for (let level = 0; level < 10_000; level += 1) type = ['list', type];
      return valueCodec(types.dynamic).encode(new Dynamic(type, null));
    },
  ],
])('a value that is nested too deeply is refused without exhausting the stack: %s', (_, act) => {
  expect(act).toThrow(TOO_DEEP);
});

test('a value with the maximum nesting is decoded and encoded', () => {
  const levels = 97;
  const bytes = dynamicBytes(objectType(levels), encodeMsgpack(nested(levels)));
  const value = decodeBytes(types.dynamic, bytes) as Dynamic;
  expect(value.value).toEqual(nested(levels));
  expect((decode(valueCodec(types.dynamic).encode(new Dynamic('string', 'a')).msgpack) as unknown[])[1]).toBe(
    'a',
  );
});

function nested(levels: number): unknown {
  let value: unknown = 'a';
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}
