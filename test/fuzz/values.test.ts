import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { Decimal, Dynamic, types, UNKNOWN, type Type } from '../../src/plugin';
import { valueCodec } from '../../src/plugin/wire/dynamic-value';
import { fuzz } from './support/fuzz';
import { hostileTexts } from './support/hostile';

const NO_BYTES = new Uint8Array(0);

interface Typed {
  readonly type: Type;
  readonly value: unknown;
}

const names = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a', 'b'), hostileTexts);
const texts = hostileTexts.map(wellFormed);
const numbers = fc.oneof(
  fc.integer(),
  fc
    .bigInt({ min: -(2n ** 200n), max: 2n ** 200n })
    .map((value) =>
      BigInt(Number(value)) === value && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER
        ? Number(value)
        : value,
    ),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value + 0)),
  fc.constantFrom(new Decimal('1e400'), new Decimal('0.12345678901234567890123')),
);

/** Values of types of every kind, including null and unknown ones. */
const { typed } = fc.letrec<{ typed: Typed; known: Typed }>((tie) => ({
  typed: tie('known').chain((known) =>
    fc.constantFrom(known, known, known, { ...known, value: null }, { ...known, value: UNKNOWN }),
  ),
  known: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts.map((value) => ({ type: types.string, value })),
    numbers.map((value) => ({ type: types.number, value })),
    fc.boolean().map((value) => ({ type: types.bool, value })),
    tie('typed').map(({ type, value }) => ({ type: types.list(type), value: [value, null, value] })),
    fc
      .record({
        one: tie('typed'),
        keys: fc.uniqueArray(names.map(wellFormed), { maxLength: 3 }),
      })
      .map(({ one, keys }) => ({
        type: types.map(one.type),
        value: fromEntries(keys.map((key) => [key, one.value])),
      })),
    fc.array(tie('typed'), { maxLength: 3 }).map((all) => ({
      type: types.tuple(...all.map(({ type }) => type)),
      value: all.map(({ value }) => value),
    })),
    fc.array(tie('typed'), { maxLength: 3 }).map((all) => ({
      type: types.object(Object.fromEntries(all.map(({ type }, index) => [`a${index}`, type]))),
      value: Object.fromEntries(all.map(({ value }, index) => [`a${index}`, value])),
    })),
  ),
}));

/** Replaces halves of surrogate pairs, because UTF-8, and so MessagePack, cannot encode them. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

fuzz('values survive MessagePack', {
  inputs: typed,
  subject: (type: Type, value: unknown) => valueCodec(type).decode(valueCodec(type).encode(value)),
  // The planted fault: it creates an object by setting the members of a map one by one.
  planted: (type: Type, value: unknown) => {
    const decoded = valueCodec(type).decode(valueCodec(type).encode(value));
    return typeof decoded === 'object' && decoded !== null && Object.hasOwn(decoded, '__proto__')
      ? {}
      : decoded;
  },
  check: (translate, { type, value }) => {
    expect(translate(type, value)).toEqual(value);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  },
});

fuzz('foreign bytes are decoded as a value or cause an error, and change no prototype', {
  inputs: fc.record({
    type: typed.map(({ type }) => type),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      fc.jsonValue().map((value) => encode(value)),
      fc.record({ value: fc.jsonValue(), at: fc.nat(), byte: fc.nat(255) }).map(({ value, at, byte }) => {
        const bytes = encode(value);
        bytes[at % bytes.length] = byte;
        return bytes;
      }),
    ),
  }),
  subject: (type: Type, bytes: Uint8Array) => valueCodec(type).decode({ msgpack: bytes, json: NO_BYTES }),
  planted: (type: Type, bytes: Uint8Array) => {
    if (bytes[0] === 0xc1) rejectWithText();
    return valueCodec(type).decode({ msgpack: bytes, json: NO_BYTES });
  },
  check: (decode, { type, bytes }) => orError(() => decode(type, bytes)),
});

fuzz('the JSON of a state is decoded as a value or causes an error, and its numbers stay exact', {
  inputs: fc.record({
    type: typed.map(({ type }) => type),
    digits: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
    json: fc.oneof(
      fc.json(),
      hostileTexts,
      fc.constantFrom(
        '1e999999',
        '{"__proto__":{"a":1}}',
        '[[[[',
        '{"type":["list"],"value":[1]}',
        '{"type":"dynamic","value":1}',
        '-',
      ),
    ),
  }),
  subject: (type: Type, json: string) =>
    valueCodec(type).decode({ msgpack: NO_BYTES, json: Buffer.from(json) }),
  planted: (type: Type, json: string) =>
    type.kind === 'number'
      ? Number(json)
      : valueCodec(type).decode({ msgpack: NO_BYTES, json: Buffer.from(json) }),
  check: (decode, { type, json, digits }) => {
    orError(() => decode(type, json));
    const exact = decode(types.number, digits);
    expect(BigInt(String(exact))).toBe(BigInt(digits));
    const dynamic = decode(types.dynamic, `{"type":["map","number"],"value":{"__proto__":${digits}}}`);
    expect(dynamic).toBeInstanceOf(Dynamic);
  },
});

/** Throws a text in place of an error, as some libraries do. */
function rejectWithText(): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- this is the planted fault
  throw 'an unknown byte';
}

function orError(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error)) throw new Error('it throws what is no error', { cause: error });
  }
  expect(({} as Record<string, unknown>).a).toBeUndefined();
}
