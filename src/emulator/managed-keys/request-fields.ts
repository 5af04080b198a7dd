import { fromProduct, MANAGED_KEY, toProduct, type FieldValues, type ManagedKeyBackend } from '../../model';
import type { ResponseData, ServerFlavour } from '../core/backend';
import { type FieldSchemas, decodeFields } from '../core/input/field-schemas';
import type { JsonObject } from '../core/primitives/json';
import { schemaOf } from '../core/input/model-input';

/**
 * Returns the fields of a request's body that the backend has, with Vault's names, without those
 * that were not sent.
 */
export function decodeBody(server: ServerFlavour, type: ManagedKeyBackend, body: JsonObject): FieldValues {
  const sent = toProduct(server.dialect, MANAGED_KEY.name).fields(body) as JsonObject;
  const decoded = decodeFields(schemasOf(type), sent);
  return Object.fromEntries(Object.entries(decoded).filter(([, value]) => value !== undefined));
}

/** Returns the names in a request's body that the backend does not have. */
export function unknownParameters({ definition }: ManagedKeyBackend, body: JsonObject): readonly string[] {
  return Object.keys(body)
    .filter((name) => name !== 'type' && !Object.hasOwn(definition.fields, name))
    .sort();
}

/** Converts an answer's data to the server's dialect. */
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
