import type { Type } from '../values/type';
import { valueDecoder } from './decode-value';
import { valueEncoder } from './encode-value';
import type { DynamicValue } from './generated/tfplugin6';
import { decodeMsgpack, encodeMsgpack } from './msgpack';
import { parseExactJson, valueOfJson } from './state-json';

const NO_BYTES = new Uint8Array(0);

/** Converts the values of one type between the protocol and TypeScript. */
export interface ValueCodec {
  decode(value: DynamicValue | undefined): unknown;
  /** @throws MisfitError if the value is not of the type. */
  encode(value: unknown): DynamicValue;
}

export function valueCodec(type: Type): ValueCodec {
  const decode = valueDecoder(type);
  const encode = valueEncoder(type);
  return {
    decode: (value) => {
      if (value === undefined) return null;
      if (value.msgpack.length > 0) return decode(decodeMsgpack(value.msgpack));
      if (value.json.length > 0) return valueOfJson(type, parseExactJson(value.json));
      // OpenTofu leaves out the content of an argument that is null.
      return null;
    },
    encode: (value) => ({ msgpack: encodeMsgpack(encode(value)), json: NO_BYTES }),
  };
}

/** The value for an object that does not exist. */
export const NULL_VALUE: DynamicValue = { msgpack: encodeMsgpack(null), json: NO_BYTES };
