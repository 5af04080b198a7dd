import { isSecretToken } from '../../client';
import {
  bool,
  integer,
  map,
  mapNested,
  singleNested,
  string,
  types,
  type AppliedConfig,
  type Config,
  type Schema,
  type SchemaOf,
} from '../../plugin';

/** The provider's configuration. The names of the settings are those of HashiCorp's own provider. */
export const CONFIGURATION_SCHEMA = {
  description:
    'Manages the administrative objects of one or several Vault Enterprise clusters.\n\n' +
    'A setting that is left out comes from the environment: for a cluster `us` from `VAULTADMIN_US_ADDR`, ' +
    '`VAULTADMIN_US_TOKEN` and so on (the name in upper case, anything but letters and digits as `_`), and, where ' +
    'there is only one cluster, from the usual `VAULT_ADDR`, `VAULT_TOKEN` and so on after that.',
  attributes: {
    clusters: mapNested(
      {
        address: string({
          optional: true,
          description:
            'URL of the server, such as `https://vault.example.com:8200`. From the environment: `_ADDR`. ' +
            'Default: `https://127.0.0.1:8200`.',
        }),
        token: string({
          optional: true,
          sensitive: true,
          isSecret: isSecretToken,
          description:
            'Token to send. From the environment: `_TOKEN`; where there is only one cluster, last from the file ' +
            '`~/.vault-token`. Excludes `auth_login`.',
        }),
        namespace: string({
          optional: true,
          description:
            'Namespace that the `namespace` of resources is relative to. From the environment: `_NAMESPACE`. ' +
            'Default: the root namespace.',
        }),
        ca_cert_file: string({
          optional: true,
          description:
            "PEM file of the authorities to trust, in place of the system's. From the environment: `_CACERT`.",
        }),
        ca_cert_dir: string({
          optional: true,
          description: 'Directory of such PEM files. From the environment: `_CAPATH`.',
        }),
        skip_tls_verify: bool({
          optional: true,
          description:
            'Accepts any certificate of the server: for tests only. From the environment: `_SKIP_VERIFY`. Default: `false`.',
        }),
        tls_server_name: string({
          optional: true,
          description:
            "Name to ask for, and to expect in the server's certificate. From the environment: `_TLS_SERVER_NAME`. " +
            "Default: the address' host.",
        }),
        client_auth: singleNested(
          {
            cert_file: string({ required: true, description: "PEM file of the client's certificate." }),
            key_file: string({ required: true, description: 'PEM file of its private key.' }),
          },
          {
            optional: true,
            description:
              'Certificate to show to the server. From the environment: `_CLIENT_CERT` and `_CLIENT_KEY`.',
          },
        ),
        timeout: string({
          optional: true,
          description:
            'How long one request may take, with all its retries: seconds, or text such as `90s` or `2m`; ' +
            '`0` for no limit. From the environment: `_CLIENT_TIMEOUT`. Default: `60s`.',
        }),
        max_retries: integer({
          optional: true,
          description:
            'How often a request is tried again after 412, 429, 5xx and dropped connections. ' +
            'From the environment: `_MAX_RETRIES`. Default: `2`.',
        }),
        dialect: string({
          optional: true,
          description:
            "The names that the server goes by: `vault` for the product's own, `neutral` for those of an interface " +
            'that tells no vendor. Resources use the names of the product with either. From the environment: `_DIALECT`. ' +
            'Default: `vault`.',
        }),
        auth_login: singleNested(
          {
            path: string({
              optional: true,
              description:
                'Path to log in at, such as `auth/approle/login` or `auth/userpass/login/deployer`. ' +
                'Default: the usual path of `method`.',
            }),
            namespace: string({
              optional: true,
              description:
                "Namespace of the auth method, as a full path. Default: the cluster's `namespace`.",
            }),
            method: string({
              optional: true,
              description:
                'Kind of the auth method, such as `approle`, `jwt`, `cert` or `userpass`. ' +
                'Needed where `path` is left out; the path then ends with the `username` of `parameters`, if there is one.',
            }),
            parameters: map(types.string, {
              optional: true,
              sensitive: true,
              description: 'What the auth method asks for, such as `role_id` and `secret_id`, or `password`.',
            }),
          },
          {
            optional: true,
            description:
              'Logs in for a token, at the first request that needs it; the token is revoked when Terraform is done. ' +
              'Excludes `token`.',
          },
        ),
      },
      {
        optional: true,
        description:
          'The clusters by the names that resources give as `cluster`. ' +
          'Left out: one cluster named `default`, with all its settings from the environment.',
      },
    ),
  },
} as const satisfies Schema;

type ConfigurationSchema = SchemaOf<typeof CONFIGURATION_SCHEMA.attributes>;
type ElementOf<T> = T extends Readonly<Record<string, infer E>> ? E : never;

export type Configuration = Config<ConfigurationSchema>;
/** One cluster as it is configured. Anything in it may not be known yet. */
export type ClusterConfiguration = Partial<ElementOf<Configuration['clusters']>>;
/** Those of its attributes that are known. */
export type KnownConfiguration = Partial<ElementOf<AppliedConfig<ConfigurationSchema>['clusters']>>;
