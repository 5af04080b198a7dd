import { TOTP_METHOD } from '../../model';
import { type LogicalResponse, type Route, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import type { FieldSchemas } from '../core/input/field-schemas';
import { checkedInput, schemasOf } from '../core/input/model-input';
import type { TotpMethod } from '../core/stores/mfa-methods';

const PATH = TOTP_METHOD.path.replace(/^sys\//, '');
const { name: NAME, ...SETTINGS } = schemasOf(TOTP_METHOD.fields);
const DEFAULTS = Object.fromEntries(
  Object.entries(TOTP_METHOD.fields).flatMap(([name, field]) =>
    'default' in field ? [[name, field.default]] : [],
  ),
);

const ENTITY_FIELDS = {
  name: NAME,
  entity_id: { type: 'string', default: '', description: 'Id of the identity entity.' },
} as const satisfies FieldSchemas;

/** The routes of TOTP methods, and of the keys of entities. */
export function mfaRoutes(parts: ClusterParts): readonly Route[] {
  const { mfa, identity } = parts;
  const methodNamed = (name: string): TotpMethod => {
    const method = mfa.get(name);
    if (method === undefined) throw invalidRequest(`MFA method ${JSON.stringify(name)} not found`);
    return method;
  };
  const generate = (name: string, entityId: string): LogicalResponse => {
    const method = methodNamed(name);
    if (identity.entities.byId(entityId) === undefined) throw invalidRequest('invalid entity ID');
    const url = mfa.generateKey(method, entityId);
    if (url !== undefined) return { data: { url } };
    return { warnings: [`Entity already has a secret for MFA method ${JSON.stringify(name)}`] };
  };
  return [
    route({
      pattern: `${PATH}/:name`,
      rootNamespaceOnly: true,
      fields: { name: NAME, ...SETTINGS },
      operations: {
        read: ({ data }) => {
          const method = mfa.get(data.name);
          return method && { data: { ...method, type: 'totp' } };
        },
        update: ({ data }) => {
          const { name, ...sent } = data;
          const given = Object.entries(sent).filter(([, value]) => value !== undefined);
          const values = { ...DEFAULTS, ...Object.fromEntries(given), name };
          mfa.put(checkedInput(TOTP_METHOD, name, values));
        },
        delete: ({ data }) => mfa.delete(data.name),
      },
      help: { synopsis: 'Reads, writes and deletes a TOTP method.' },
    }),
    route({
      pattern: `${PATH}/:name/generate`,
      rootNamespaceOnly: true,
      fields: { name: NAME },
      operations: { read: ({ data, token }) => generate(data.name, token?.entityId ?? '') },
      help: { synopsis: "Generates a key for the token's entity." },
    }),
    route({
      pattern: `${PATH}/:name/admin-generate`,
      rootNamespaceOnly: true,
      fields: ENTITY_FIELDS,
      operations: { update: ({ data }) => generate(data.name, data.entity_id) },
      help: { synopsis: 'Generates a key for an entity.' },
    }),
    route({
      pattern: `${PATH}/:name/admin-destroy`,
      rootNamespaceOnly: true,
      fields: ENTITY_FIELDS,
      operations: {
        update: ({ data }) => mfa.destroyKey(methodNamed(data.name), data.entity_id),
      },
      help: { synopsis: 'Deletes the key of an entity.' },
    }),
  ];
}
