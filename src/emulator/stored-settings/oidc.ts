import { invalidRequest } from '../core/errors';
import { randomText } from '../core/primitives/identifiers';
import type { Json } from '../core/primitives/json';
import { isEmpty, type StoredSetting, text, TEXT, TEXTS } from './setting';

const DAY = { type: 'duration', default: 86_400 } as const;
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export const OIDC_CONFIG: StoredSetting = {
  mount: 'identity',
  path: 'oidc/config',
  what: 'the issuer of identity tokens',
  hasDefaults: true,
  fields: { issuer: TEXT },
  check: ({ issuer }) => checkIssuer(issuer),
  warnings: ({ issuer }) =>
    isEmpty(issuer)
      ? []
      : [
          'If "issuer" is set explicitly, all tokens must be validated against that address, including those issued by ' +
            'secondary clusters. Setting issuer to "" will restore the default behavior of using the cluster\'s ' +
            'api_addr as the issuer.',
        ],
};

export const OIDC_PROVIDERS: StoredSetting = {
  mount: 'identity',
  path: 'oidc/provider/:name',
  what: 'OIDC providers',
  fields: { issuer: TEXT, allowed_client_ids: TEXTS, scopes_supported: TEXTS },
  builtIn: { default: { issuer: '', allowed_client_ids: ['*'], scopes_supported: [] } },
  check: ({ issuer }) => checkIssuer(issuer),
  shown: ({ issuer, ...values }, name, { address, namespace }) => ({
    ...values,
    issuer: `${isEmpty(issuer) ? address : `${text(issuer)}/v1/${namespace.path}`}identity/oidc/provider/${name}`,
  }),
};

/** The settings of the server as a provider of OpenID Connect. The emulator signs no tokens. */
export const OIDC_SETTINGS: readonly StoredSetting[] = [
  OIDC_CONFIG,
  {
    mount: 'identity',
    path: 'oidc/key/:name',
    what: 'keys of identity tokens',
    fields: {
      rotation_period: DAY,
      verification_ttl: DAY,
      allowed_client_ids: TEXTS,
      algorithm: { type: 'string', default: 'RS256' },
    },
    builtIn: {
      default: {
        rotation_period: 86_400,
        verification_ttl: 86_400,
        allowed_client_ids: ['*'],
        algorithm: 'RS256',
      },
    },
    check: ({ algorithm, rotation_period, verification_ttl }) => {
      if (!ALGORITHMS.includes(text(algorithm)))
        throw invalidRequest(`unknown signing algorithm ${JSON.stringify(algorithm)}`);
      if (Number(verification_ttl) > 10 * Number(rotation_period))
        throw invalidRequest('verification_ttl cannot be longer than 10x rotation_period');
    },
  },
  {
    mount: 'identity',
    path: 'oidc/role/:name',
    what: 'roles of identity tokens',
    fields: { key: TEXT, template: TEXT, client_id: TEXT, ttl: DAY },
    check: ({ key }) => {
      if (isEmpty(key)) throw invalidRequest('the key parameter is required');
    },
    generated: ({ client_id }) => ({ client_id: isEmpty(client_id) ? randomText(26) : client_id! }),
  },
  {
    mount: 'identity',
    path: 'oidc/assignment/:name',
    what: 'assignments of OIDC clients',
    fields: { entity_ids: TEXTS, group_ids: TEXTS },
    builtIn: { allow_all: { entity_ids: ['*'], group_ids: ['*'] } },
  },
  {
    mount: 'identity',
    path: 'oidc/scope/:name',
    what: 'OIDC scopes',
    fields: { template: TEXT, description: TEXT },
  },
  {
    mount: 'identity',
    path: 'oidc/client/:name',
    what: 'OIDC clients',
    fields: {
      key: { type: 'string', default: 'default' },
      redirect_uris: TEXTS,
      assignments: TEXTS,
      client_type: { type: 'string', default: 'confidential' },
      id_token_ttl: DAY,
      access_token_ttl: DAY,
    },
    generated: ({ client_type }) => ({
      client_id: randomText(32),
      ...(client_type === 'confidential' && { client_secret: `hvo_secret_${randomText(64)}` }),
    }),
  },
  OIDC_PROVIDERS,
];

function checkIssuer(issuer: Json | undefined): void {
  if (isEmpty(issuer) || /^https?:\/\/[^/?#]+$/.test(text(issuer))) return;
  throw invalidRequest(
    'invalid issuer, which must include only a scheme, host, and optional port (e.g. https://example.com:8200)',
  );
}
