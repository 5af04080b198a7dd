import { type LogicalResponse, type Route, route } from '../core/backend';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterParts } from '../core/request/parts';
import { ALGORITHMS, OIDC_CONFIG, OIDC_PROVIDERS } from './oidc';
import { text, texts } from './setting';
import { NAME_FIELD, readSetting } from './stored';

const WELL_KNOWN = '.well-known';
const PROVIDER = OIDC_PROVIDERS.path;
const PROVIDER_NAME = { name: NAME_FIELD };

export const OIDC_UNAUTHENTICATED_PATHS = [
  `oidc/${WELL_KNOWN}/*`,
  `oidc/provider/+/${WELL_KNOWN}/openid-configuration`,
  `oidc/provider/+/${WELL_KNOWN}/keys`,
];

/** The OIDC discovery documents. The emulator signs no tokens, so its lists of keys are empty. */
export function oidcDiscoveryRoutes(cluster: ClusterParts): readonly Route[] {
  return [
    route({
      pattern: `oidc/${WELL_KNOWN}/openid-configuration`,
      operations: {
        read: ({ namespace }) => {
          const { issuer } = readSetting(cluster, OIDC_CONFIG, namespace)!;
          const base = typeof issuer === 'string' && issuer !== '' ? issuer : cluster.address();
          const address = `${base}/v1/${namespace.path}identity/oidc`;
          return document({ ...endpoints(address), response_types_supported: ['id_token'] });
        },
      },
      help: { synopsis: 'Describes the issuer of identity tokens.' },
    }),
    route({
      pattern: `${PROVIDER}/${WELL_KNOWN}/openid-configuration`,
      fields: PROVIDER_NAME,
      operations: {
        read: ({ namespace, data }) => {
          const provider = readSetting(cluster, OIDC_PROVIDERS, namespace, data.name);
          return provider && document(providerConfiguration(provider));
        },
      },
      help: { synopsis: 'Describes an OIDC provider.' },
    }),
    route({
      pattern: `oidc/${WELL_KNOWN}/keys`,
      operations: { read: () => document({ keys: [] }) },
      help: { synopsis: 'Lists the public keys of identity tokens.' },
    }),
    route({
      pattern: `${PROVIDER}/${WELL_KNOWN}/keys`,
      fields: PROVIDER_NAME,
      operations: {
        read: ({ namespace, data }) =>
          readSetting(cluster, OIDC_PROVIDERS, namespace, data.name) && document({ keys: [] }),
      },
      help: { synopsis: 'Lists the public keys of an OIDC provider.' },
    }),
  ];
}

function endpoints(issuer: string) {
  return {
    issuer,
    jwks_uri: `${issuer}/${WELL_KNOWN}/keys`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ALGORITHMS,
  };
}

function providerConfiguration({ issuer, scopes_supported }: JsonObject): JsonObject {
  const address = text(issuer);
  return {
    ...endpoints(address),
    authorization_endpoint: `${address.replace('/v1/', '/ui/vault/')}/authorize`,
    token_endpoint: `${address}/token`,
    userinfo_endpoint: `${address}/userinfo`,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    scopes_supported: [...texts(scopes_supported), 'openid'],
    claims_supported: [],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['plain', 'S256'],
  };
}

/** Returns a response without Vault's `data` envelope, which OIDC clients expect. */
function document(content: JsonObject): LogicalResponse {
  return { raw: { status: 200, contentType: 'application/json', body: JSON.stringify(content) } };
}
