import { createPublicKey, type KeyObject } from 'node:crypto';
import { route, type MountContext, type Route } from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import type { JsonObject } from '../../core/json';
import type { Storage } from '../../core/storage';

/** Signature algorithms that tokens may use. */
export const signatureAlgorithms: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'EdDSA'],
];

export interface JwtConfig extends JsonObject {
  readonly default_role: string;
  readonly jwt_validation_pubkeys: readonly string[];
  /** Empty for all that there are. */
  readonly jwt_supported_algs: readonly string[];
  /** Empty for any issuer. */
  readonly bound_issuer: string;
}

const storageKey = 'config';

export function jwtConfig(storage: Storage): JwtConfig | undefined {
  return storage.get<JwtConfig>(storageKey);
}

/** The keys that are told in the configuration. @throws Error for a text that is no public key. */
export function publicKeys(config: JwtConfig): KeyObject[] {
  return config.jwt_validation_pubkeys.map((pem) => createPublicKey(pem));
}

/** How tokens are checked: with public keys that the configuration holds. */
export function configRoute({ storage }: MountContext): Route {
  return route({
    pattern: 'config',
    fields: {
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
      default_role: {
        type: 'lower_case_string',
        default: '',
        description: 'The role of logins that name none.',
      },
      ...keyServers,
    },
    operations: {
      read: () => {
        const config = jwtConfig(storage);
        return config && { data: { ...unusedSettings, ...config } };
      },
      update: ({ data }) => {
        const { jwt_validation_pubkeys, jwt_supported_algs, bound_issuer, default_role } = data;
        if (data.jwks_url !== '' || data.oidc_discovery_url !== '') throw keyServersUnavailable();
        if (jwt_validation_pubkeys.length === 0) {
          throw invalidRequest(
            "exactly one of 'jwt_validation_pubkeys', 'jwks_url' or 'oidc_discovery_url' must be set",
          );
        }
        checkAlgorithms(jwt_supported_algs);
        const config = { jwt_validation_pubkeys, jwt_supported_algs, bound_issuer, default_role };
        checkKeys(config);
        storage.put(storageKey, config);
        return undefined;
      },
    },
    help: { synopsis: 'Configures the JWT authentication backend.' },
  });
}

const keyServers = {
  jwks_url: { type: 'string', default: '', description: 'Not available in the emulator.' },
  oidc_discovery_url: { type: 'string', default: '', description: 'Not available in the emulator.' },
} as const;

/** What the server's answer holds beyond what the emulator has a use for. */
const unusedSettings: JsonObject = {
  jwks_ca_pem: '',
  jwks_url: '',
  namespace_in_state: true,
  oidc_client_id: '',
  oidc_discovery_ca_pem: '',
  oidc_discovery_url: '',
  oidc_response_mode: '',
  oidc_response_types: [],
  provider_config: {},
};

function keyServersUnavailable() {
  return invalidRequest(
    "the emulator fetches no keys: set 'jwt_validation_pubkeys' in place of 'jwks_url' or 'oidc_discovery_url'",
  );
}

function checkAlgorithms(wanted: readonly string[]): void {
  const unknown = wanted.find((algorithm) => !signatureAlgorithms.includes(algorithm));
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
