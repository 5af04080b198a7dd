import { refuseDeepJson } from './levels';
import { Dynamic, typeOfJson, type Type, type TypeJson } from '../values/type';
import { numberFromFloat, numberFromText, safest } from '../values/number';
import { UNKNOWN } from '../values/unknown';
import { PROTO_KEY } from './msgpack';

/** Converts a decoded MessagePack value. May change its argument. */
type ValueDecoder = (raw: unknown) => unknown;

/** Returns the value unchanged: most types have the same form in MessagePack. */
const asIs: ValueDecoder = (raw) => raw;

/**
 * Returns the decoder for values of `type`. It is determined once, because it runs for every value
 * of every resource.
 */
export function valueDecoder(type: Type): ValueDecoder {
  switch (type.kind) {
    case 'string':
    case 'bool':
      return asIs;
    case 'integer':
    case 'number':
      return decodeNumber;
    case 'dynamic':
      return ifKnown(decodeDynamic);
    case 'list':
    case 'set':
      return decoderOfList(valueDecoder(type.element));
    case 'tuple':
      return decoderOfTuple(type.elements.map(valueDecoder));
    case 'map':
      return decoderOfMap(valueDecoder(type.element));
    case 'object':
      return decoderOfObject(type.attributes);
  }
}

function decodeNumber(raw: unknown): unknown {
  switch (typeof raw) {
    case 'number':
      return numberFromFloat(raw);
    case 'bigint':
      return safest(raw);
    case 'string':
      return numberFromText(raw);
    default:
      return raw;
  }
}

function decodeDynamic(raw: unknown): Dynamic {
  const [typeBytes, value] = raw as [Uint8Array, unknown];
  const type = JSON.parse(refuseDeepJson(Buffer.from(typeBytes).toString())) as TypeJson;
  return new Dynamic(type, valueDecoder(typeOfJson(type))(value));
}

function decoderOfList(decodeElement: ValueDecoder): ValueDecoder {
  if (decodeElement === asIs) return asIs;
  return ifKnown((raw) => (raw as unknown[]).map(decodeElement));
}

function decoderOfTuple(decoders: readonly ValueDecoder[]): ValueDecoder {
  return ifKnown((raw) => (raw as unknown[]).map((element, i) => decoders[i]!(element)));
}

function decoderOfMap(decodeElement: ValueDecoder): ValueDecoder {
  return ifKnown((raw) => {
    const map = raw as Record<string, unknown>;
    for (const key in map) map[key] = decodeElement(map[key]);
    return PROTO_KEY in map ? withProtoKey(map) : map;
  });
}

function withProtoKey({ [PROTO_KEY]: value, ...rest }: Record<string, unknown>): unknown {
  return Object.defineProperty(rest, '__proto__', {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function decoderOfObject(attributes: Readonly<Record<string, Type>>): ValueDecoder {
  const decoders = Object.entries(attributes)
    .map(([name, type]) => [name, valueDecoder(type)] as const)
    .filter(([, decode]) => decode !== asIs);
  if (decoders.length === 0) return asIs;
  return ifKnown((raw) => {
    const object = raw as Record<string, unknown>;
    for (const [name, decode] of decoders) object[name] = decode(object[name]);
    return object;
  });
}

function ifKnown(decode: ValueDecoder): ValueDecoder {
  return (raw) => (raw === null || raw === UNKNOWN ? raw : decode(raw));
}
