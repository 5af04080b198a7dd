import { fromProduct, MANAGED_KEY, toProduct, type FieldValues, type ManagedKeyBackend } from '../../model';
import type { ResponseData, ServerFlavour } from '../core/backend';
import { type FieldSchemas, decodeFields } from '../core/input/fields';
import type { JsonObject } from '../core/primitives/json';
import { schemaOf } from '../core/input/model-input';

/** The fields of a request's body that the backend has, in the product's words. What was not sent is absent. */
export function decodeBody(server: ServerFlavour, type: ManagedKeyBackend, body: JsonObject): FieldValues {
  const sent = toProduct(server.dialect, MANAGED_KEY.name).fields(body) as JsonObject;
  const decoded = decodeFields(schemasOf(type), sent);
  return Object.fromEntries(Object.entries(decoded).filter(([, value]) => value !== undefined));
}

/** The names in a request's body that the backend does not know. */
export function unknownParameters({ definition }: ManagedKeyBackend, body: JsonObject): readonly string[] {
  return Object.keys(body)
    .filter((name) => name !== 'type' && !Object.hasOwn(definition.fields, name))
    .sort();
}

/** An answer's data in the words of the server's dialect. */
export function encodeAnswer(server: ServerFlavour, data: FieldValues): ResponseData {
  return fromProduct(server.dialect, MANAGED_KEY.name).fields(data) as ResponseData;
}

function schemasOf({ definition }: ManagedKeyBackend): FieldSchemas {
  return Object.fromEntries(
    Object.entries(definition.fields)
      .filter(([, { identity }]) => identity !== true)
      .map(([name, field]) => [name, schemaOf(field)]),
  );
}
