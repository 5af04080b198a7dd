import { isSecretToken } from '../../client/internal';
import {
  AUTH_LOGIN,
  CLUSTER_ARGUMENTS,
  CLUSTER_SETTINGS,
  isSecretParameter,
  type ClusterSetting,
} from '../../model/clusters';
import {
  bool,
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
import { fieldAttributes, optionalAttributes } from '../fields';

const { token, headers, client_cert_file, client_key_file } = CLUSTER_SETTINGS;

/**
 * The provider's configuration. Its settings have the same names as in the provider
 * hashicorp/vault.
 */
export const CONFIGURATION_SCHEMA = {
  description:
    'Manages the administrative objects of one or several Vault Enterprise clusters.\n\n' +
    'A setting that is left out comes from the environment: for a cluster `us` from `VAULTADMIN_US_ADDR`, ' +
    '`VAULTADMIN_US_TOKEN` and so on (the name in upper case, with `_` for anything but letters and digits). If there is ' +
    'only one cluster, the usual `VAULT_ADDR`, `VAULT_TOKEN` and so on are read after that.',
  attributes: {
    clusters: mapNested(
      {
        ...optionalAttributes(CLUSTER_ARGUMENTS, describeSetting),
        token: string({
          optional: true,
          sensitive: true,
          isSecret: isSecretToken,
          description: describeSetting(token),
        }),
        headers: map(types.string, {
          optional: true,
          sensitive: true,
          isSecret: isSecretToken,
          description: describeSetting(headers),
        }),
        client_auth: singleNested(
          {
            cert_file: string({ required: true, description: client_cert_file.doc }),
            key_file: string({ required: true, description: client_key_file.doc }),
          },
          {
            optional: true,
            description:
              'Client certificate. From the environment: ' +
              `\`_${client_cert_file.variable}\` and \`_${client_key_file.variable}\`. Default: ${client_cert_file.defaultDoc}.`,
          },
        ),
        usual_environment: bool({
          optional: true,
          description:
            'Whether settings that are left out come from `VAULT_ADDR`, `VAULT_TOKEN` and so on even if there are several ' +
            'clusters. Set it if the provider `hashicorp/vault` manages objects of the same cluster: it reads only these ' +
            'variables. If variables of the cluster, such as `VAULTADMIN_US_ADDR`, differ from them, that is an error. ' +
            'Default: `false`.',
        }),
        unknown_policy_syntax: string({
          optional: true,
          description:
            'What to do about arguments and capabilities of ACL policies that this provider does not know: `error` or `warn`. ' +
            'Default: `warn` for servers that are newer than the provider, and for OpenBao; otherwise `error`.',
        }),
        auth_login: singleNested(
          {
            ...fieldAttributes(AUTH_LOGIN.fields),
            parameters: map(types.string, {
              optional: true,
              sensitive: true,
              isSecret: (_text, name) => name === undefined || isSecretParameter(name),
              description: AUTH_LOGIN.parametersDoc,
            }),
          },
          { optional: true, description: AUTH_LOGIN.doc },
        ),
      },
      {
        optional: true,
        strict: true,
        description:
          'The clusters by the names that resources give as `cluster`. ' +
          'Default: one cluster named `default`, with all its settings from the environment.',
      },
    ),
  },
} as const satisfies Schema;

type ConfigurationSchema = SchemaOf<typeof CONFIGURATION_SCHEMA.attributes>;
type ElementOf<T> = T extends Readonly<Record<string, infer E>> ? E : never;

export type Configuration = Config<ConfigurationSchema>;
/** The configuration of one cluster. Any value in it may be unknown. */
export type ClusterConfiguration = Partial<ElementOf<Configuration['clusters']>>;
/** The attributes that are known. */
export type KnownConfiguration = Partial<ElementOf<AppliedConfig<ConfigurationSchema>['clusters']>>;

/**
 * Returns the description of a setting, with its default as a text: the schema has no defaults,
 * because the environment has priority over them.
 */
function describeSetting({ doc, variable, default: fallback, defaultDoc }: ClusterSetting): string {
  return `${doc} From the environment: \`_${variable}\`. Default: ${defaultDoc ?? `\`${String(fallback)}\``}.`;
}
