import { fromProduct, managedKey, toProduct, type FieldValues, type ManagedKeyType } from '../../model';
import type { ResponseData, ServerFlavour } from '../core/backend';
import { type FieldSchemas, decodeFields } from '../core/request/fields';
import type { JsonObject } from '../core/primitives/json';
import { schemaOf } from '../core/request/model-fields';

/** The fields of a request's body that the backend has, in the product's words. What was not sent is absent. */
export function decodeBody(server: ServerFlavour, type: ManagedKeyType, body: JsonObject): FieldValues {
  const sent = toProduct(server.dialect, managedKey.name).fields(body) as JsonObject;
  const decoded = decodeFields(schemasOf(type), sent);
  return Object.fromEntries(Object.entries(decoded).filter(([, value]) => value !== undefined));
}

/** The names in a request's body that the backend does not know. */
export function unknownParameters({ definition }: ManagedKeyType, body: JsonObject): readonly string[] {
  return Object.keys(body)
    .filter((name) => name !== 'type' && !Object.hasOwn(definition.fields, name))
    .sort();
}

/** An answer's data in the words of the server's dialect. */
export function encodeAnswer(server: ServerFlavour, data: FieldValues): ResponseData {
  return fromProduct(server.dialect, managedKey.name).fields(data) as ResponseData;
}

function schemasOf({ definition }: ManagedKeyType): FieldSchemas {
  return Object.fromEntries(
    Object.entries(definition.fields)
      .filter(([, { identity }]) => identity !== true)
      .map(([name, field]) => [name, schemaOf(field)]),
  );
}
