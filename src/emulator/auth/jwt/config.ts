import { createPublicKey, type KeyObject } from 'node:crypto';
import { route, type MountContext, type Route } from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import type { Decoded, FieldData } from '../../core/input/field-schemas';
import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';

/** Signature algorithms that tokens may use. */
export const SIGNATURE_ALGORITHMS: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'EdDSA'],
];

const FIELDS = {
  jwt_validation_pubkeys: {
    type: 'comma_string_list',
    default: [],
    description: 'Public keys in PEM form that tokens are signed with.',
  },
  jwt_supported_algs: {
    type: 'comma_string_list',
    default: [],
    description: 'Signature algorithms that are accepted.',
  },
  bound_issuer: { type: 'string', default: '', description: 'The only issuer that is accepted.' },
  default_role: { type: 'lower_case_string', default: '', description: 'The default role of logins.' },
  jwks_url: {
    type: 'string',
    default: '',
    description: 'URL of the public keys. The emulator does not fetch them.',
  },
  jwks_ca_pem: { type: 'string', default: '', description: 'The CA of `jwks_url`.' },
  jwks_pairs: { type: 'list', default: [], description: 'URLs of public keys, with their CAs.' },
  oidc_discovery_url: {
    type: 'string',
    default: '',
    description: 'URL of an OIDC provider. The emulator does not contact it.',
  },
  oidc_discovery_ca_pem: { type: 'string', default: '', description: 'The CA of `oidc_discovery_url`.' },
  oidc_client_id: { type: 'string', default: '', description: 'For OIDC.' },
  oidc_client_secret: { type: 'string', default: '', description: 'For OIDC. Reads never show it.' },
  oidc_response_mode: { type: 'string', default: '', description: 'For OIDC: `query` or `form_post`.' },
  oidc_response_types: { type: 'comma_string_list', default: [], description: 'For OIDC.' },
  provider_config: { type: 'object', default: {}, description: 'Settings specific to an OIDC provider.' },
  namespace_in_state: { type: 'boolean', description: 'For OIDC. Default: true.' },
} as const;

/** A configuration, with the field names of requests and responses. */
export type JwtConfig = FieldData<typeof FIELDS>;

const STORAGE_KEY = 'config';

export function jwtConfig(storage: Storage): JwtConfig | undefined {
  return storage.get<JwtConfig>(STORAGE_KEY);
}

/**
 * Returns the public keys of the configuration.
 *
 * @throws Error for a text that is not a public key.
 */
export function publicKeys(config: JwtConfig): KeyObject[] {
  return config.jwt_validation_pubkeys.map((pem) => createPublicKey(pem));
}

/**
 * Routes for the configuration of token checks. External keys can be configured but are not
 * fetched: logins require keys in the configuration.
 */
export function configRoute({ storage }: MountContext): Route {
  return route({
    pattern: 'config',
    fields: FIELDS,
    operations: {
      read: () => {
        const config = jwtConfig(storage);
        return config && { data: describe(config) };
      },
      update: ({ data }) => {
        const { namespace_in_state = jwtConfig(storage)?.namespace_in_state ?? true } = data;
        const config = { ...data, namespace_in_state };
        checkSources(config);
        checkAlgorithms(config);
        checkKeys(config);
        storage.put(STORAGE_KEY, config);
      },
    },
    help: { synopsis: 'Configures the JWT authentication backend.' },
  });
}

/** Secrets can be written and replaced, and are never shown. */
function describe(config: JwtConfig): JsonObject {
  const shown = without(config, 'oidc_client_secret');
  return { ...shown, provider_config: without(config.provider_config, 'gsuite_service_account') };
}

function without(object: JsonObject, secret: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== secret));
}

function checkSources(config: Decoded<typeof FIELDS>): void {
  const sources = [
    config.jwt_validation_pubkeys.length > 0,
    config.jwks_url !== '',
    config.jwks_pairs.length > 0,
    config.oidc_discovery_url !== '',
  ];
  if (sources.filter(Boolean).length !== 1) {
    throw invalidRequest(
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set",
    );
  }
  if ((config.oidc_client_id === '') !== (config.oidc_client_secret === '')) {
    throw invalidRequest("both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC");
  }
  if (config.oidc_client_id !== '' && config.oidc_discovery_url === '') {
    throw invalidRequest("'oidc_discovery_url' must be set for OIDC");
  }
  if (config.oidc_discovery_url.includes('.well-known/openid-configuration')) {
    throw invalidRequest("'oidc_discovery_url' contains '.well-known' component");
  }
}

function checkAlgorithms({ jwt_supported_algs }: JwtConfig): void {
  const unknown = jwt_supported_algs.find((algorithm) => !SIGNATURE_ALGORITHMS.includes(algorithm));
  if (unknown !== undefined) {
    throw invalidRequest(`invalid jwt_supported_algs: unsupported signing algorithm "${unknown}"`);
  }
}

function checkKeys(config: JwtConfig): void {
  try {
    publicKeys(config);
  } catch {
    throw invalidRequest('error parsing public key: data does not contain any valid public keys');
  }
}
