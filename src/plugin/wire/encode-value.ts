import { isRecord } from '../../text';
import { Defect } from '../defect';
import { refuseDeepValue } from './levels';
import { Decimal } from '../values/number';
import { Dynamic, typeOfJson, type Type } from '../values/type';
import { UNKNOWN } from '../values/unknown';

/** Converts a value to the form that MessagePack encodes. */
type ValueEncoder = (value: unknown) => unknown;

/**
 * A value that does not have its type: a defect of the provider. The message names the position.
 */
export class MisfitError extends Defect {
  override readonly name = 'MisfitError';

  constructor(
    readonly problem: string,
    readonly path: readonly (string | number)[] = [],
  ) {
    super(path.length === 0 ? problem : `${path.join('.')}: ${problem}`);
  }
}

/**
 * Returns the encoder for values of `type`. It is determined once, because it runs for every value
 * of every resource. Undefined is encoded as null.
 *
 * The encoder throws a {@link MisfitError} if the value does not have the type.
 */
export function valueEncoder(type: Type): ValueEncoder {
  switch (type.kind) {
    case 'string':
      return scalarEncoder('string');
    case 'bool':
      return scalarEncoder('boolean');
    case 'integer':
    case 'number':
      return ifKnown(encodeNumber);
    case 'dynamic':
      return ifKnown(encodeDynamic);
    case 'list':
    case 'set':
      return listEncoder(valueEncoder(type.element));
    case 'tuple':
      return tupleEncoder(type.elements.map(valueEncoder));
    case 'map':
      return mapEncoder(valueEncoder(type.element));
    case 'object':
      return objectEncoder(type.attributes);
  }
}

function scalarEncoder(expected: 'string' | 'boolean'): ValueEncoder {
  return ifKnown((value) => (typeof value === expected ? value : misfit(`a ${expected}`, value)));
}

const MOST_INT64 = 2n ** 63n - 1n;

/**
 * Encodes a number. Terraform compares numbers exactly, so numbers that are not 64-bit integers are
 * sent as decimal texts.
 */
function encodeNumber(value: unknown): unknown {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    return Number.isFinite(value) ? String(value) : misfit('a finite number', value);
  }
  if (typeof value === 'bigint') {
    return value <= MOST_INT64 && value >= -MOST_INT64 ? value : String(value);
  }
  return value instanceof Decimal ? value.text : misfit('a number', value);
}

function encodeDynamic(value: unknown): unknown {
  if (!(value instanceof Dynamic)) return misfit('a Dynamic', value);
  refuseDeepValue(value);
  return [Buffer.from(JSON.stringify(value.type)), valueEncoder(typeOfJson(value.type))(value.value)];
}

function listEncoder(encodeElement: ValueEncoder): ValueEncoder {
  return ifKnown((value) => {
    if (!Array.isArray(value)) return misfit('an array', value);
    return value.map((element, i) => within(i, encodeElement, element));
  });
}

function tupleEncoder(encoders: readonly ValueEncoder[]): ValueEncoder {
  return ifKnown((value) => {
    if (!Array.isArray(value) || value.length !== encoders.length) {
      return misfit(`an array of ${encoders.length}`, value);
    }
    return encoders.map((encode, i) => within(i, encode, value[i]));
  });
}

function mapEncoder(encodeElement: ValueEncoder): ValueEncoder {
  return ifKnown((value) => {
    if (!isRecord(value)) return misfit('an object', value);
    return Object.fromEntries(
      Object.entries(value).map(([key, element]) => [key, within(key, encodeElement, element)]),
    );
  });
}

function objectEncoder(attributes: Readonly<Record<string, Type>>): ValueEncoder {
  const encoders = Object.entries(attributes).map(([name, type]) => [name, valueEncoder(type)] as const);
  return ifKnown((value) => {
    if (!isRecord(value)) return misfit('an object', value);
    for (const name in value) {
      if (!Object.hasOwn(attributes, name)) throw new MisfitError('the schema has no such attribute', [name]);
    }
    const raw: Record<string, unknown> = {};
    for (const [name, encode] of encoders) raw[name] = within(name, encode, value[name]);
    return raw;
  });
}

function within(step: string | number, encode: ValueEncoder, value: unknown): unknown {
  try {
    return encode(value);
  } catch (error) {
    throw error instanceof MisfitError ? new MisfitError(error.problem, [step, ...error.path]) : error;
  }
}

/** Throws an error that names only the value's type, because the value may be a secret. */
function misfit(expected: string, value: unknown): never {
  throw new MisfitError(
    `expected ${expected}, got ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}`,
  );
}

function ifKnown(encode: ValueEncoder): ValueEncoder {
  return (value) =>
    value === undefined || value === null ? null : value === UNKNOWN ? UNKNOWN : encode(value);
}
