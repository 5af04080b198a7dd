import { MOST_LEVELS, refuseDeepValue } from './levels';
import { Decoder, Encoder, ExtData, type ExtensionCodecType } from '@msgpack/msgpack';
import { UNKNOWN } from '../values/unknown';

/**
 * Terraform encodes an unknown value as an extension, whose type and content say what is known
 * about the value. All are decoded as unknown, and encoded without these details.
 */
const UNKNOWN_VALUES: ExtensionCodecType<undefined> = {
  tryToEncode: (value) => (value === UNKNOWN ? new ExtData(0, new Uint8Array(1)) : null),
  decode: () => UNKNOWN,
};

const OPTIONS = { extensionCodec: UNKNOWN_VALUES, useBigInt64: true, maxDepth: MOST_LEVELS };
const ENCODER = new Encoder(OPTIONS);
const DECODER = new Decoder(OPTIONS);

/** Replaces the key `__proto__` of a map, which the decoder refuses to set on an object. */
export const PROTO_KEY = '\0__proto__';
const PROTO_DECODER = new Decoder({
  ...OPTIONS,
  keyDecoder: {
    canBeCached: (byteLength) => byteLength === '__proto__'.length,
    decode(bytes, offset, byteLength) {
      const key = Buffer.from(bytes.buffer, bytes.byteOffset + offset, byteLength).toString();
      return key === '__proto__' ? PROTO_KEY : key;
    },
  },
});

export function encodeMsgpack(value: unknown): Uint8Array {
  return ENCODER.encode(value);
}

/**
 * Decodes a value. Whole numbers of 64 bits become `bigint`, and a key `__proto__` becomes {@link
 * PROTO_KEY}.
 *
 * @throws Error if the bytes are not MessagePack, or the value is nested too deep.
 */
export function decodeMsgpack(bytes: Uint8Array): unknown {
  const value = decodeWithKeys(bytes);
  refuseDeepValue(value);
  return value;
}

function decodeWithKeys(bytes: Uint8Array): unknown {
  try {
    return DECODER.decode(bytes);
  } catch (error) {
    if (error instanceof Error && error.message.includes('__proto__')) return PROTO_DECODER.decode(bytes);
    throw error;
  }
}
