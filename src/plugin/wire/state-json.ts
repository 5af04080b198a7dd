import { refuseDeepJson } from './levels';
import { parse } from 'lossless-json';
import { numberFromText } from '../values/number';
import { Dynamic, typeOfJson, type Type, type TypeJson } from '../values/type';

/**
 * Reads JSON in the form of Terraform's state. Numbers are exact; `JSON.parse` would round them.
 */
export function parseExactJson(bytes: Uint8Array): unknown {
  return parse(refuseDeepJson(Buffer.from(bytes).toString()), undefined, { parseNumber: numberFromText });
}

/** Returns a value of `type` from the result of {@link parseExactJson}. */
export function valueOfJson(type: Type, json: unknown): unknown {
  if (json === null || json === undefined) return null;
  switch (type.kind) {
    case 'list':
    case 'set':
      return (json as unknown[]).map((element) => valueOfJson(type.element, element));
    case 'tuple':
      return type.elements.map((element, i) => valueOfJson(element, (json as unknown[])[i]));
    case 'map':
      return mapValues(json as Record<string, unknown>, (element) => valueOfJson(type.element, element));
    case 'object':
      return mapValues(type.attributes, (attribute, name) =>
        valueOfJson(attribute, (json as Record<string, unknown>)[name]),
      );
    case 'dynamic': {
      const { type: typeJson, value } = json as { type: TypeJson; value: unknown };
      return new Dynamic(typeJson, valueOfJson(typeOfJson(typeJson), value));
    }
    default:
      return json;
  }
}

function mapValues<T>(object: Readonly<Record<string, T>>, change: (value: T, key: string) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
