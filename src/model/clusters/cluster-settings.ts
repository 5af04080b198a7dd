import type { Field, ObjectDefinition } from '../definition/field';
import { fieldsRule, type TextProblem } from '../definition/rules';
import { DIALECTS } from '../dialect';
import { parseDuration } from '../durations';
import { namespacePathProblem } from '../identity';
import {
  addressProblem,
  booleanProblem,
  choiceProblem,
  countProblem,
  headersOf,
  headersProblem,
  isTrue,
  limitProblem,
  proxyProblem,
  rateProblem,
  tokenProblem,
} from './setting-problems';

/**
 * One setting of the connection to a cluster, with its names in the client, the provider, the
 * constructs and the environment.
 */
export interface ClusterSetting extends Field {
  /** The client's option. */
  readonly option: string;
  /** Whether the option is part of the client's option `tls`. */
  readonly tls?: true;
  /** The environment variable, without its prefix: `ADDR` for `VAULT_ADDR`. */
  readonly variable: string;
  /** An older environment variable, without its prefix, that is read if `variable` is not set. */
  readonly olderVariable?: string;
  /**
   * The argument of a cluster in the provider's configuration, if its name differs from that of the
   * setting.
   */
  readonly argument?: string;
  /** Whether only the provider has the setting: it is no option of the client. */
  readonly ofProvider?: true;
  /** Whether the setting exists in the environment only. */
  readonly environmentOnly?: true;
  /**
   * The group of the setting. The settings of a group are taken together from the first source that
   * has one of them.
   */
  readonly group?: 'credential' | 'authorities' | 'client_certificate';
  /** A description of the default, if the default is not a value. */
  readonly defaultDoc?: string;
}

/** The settings that are arguments of a cluster in the provider's configuration, by their names. */
export const CLUSTER_ARGUMENTS = {
  address: {
    type: 'string',
    option: 'address',
    variable: 'ADDR',
    default: 'https://127.0.0.1:8200',
    doc: 'URL of the server, such as `https://vault.example.com:8200`, or a socket such as `unix:///run/vault.sock`.',
  },
  token: {
    type: 'string',
    sensitive: true,
    option: 'token',
    variable: 'TOKEN',
    group: 'credential',
    defaultDoc: 'with only one cluster, the file `~/.vault-token`',
    doc: 'Token for all requests. Conflicts with `auth_login`.',
  },
  namespace: {
    type: 'string',
    option: 'namespace',
    variable: 'NAMESPACE',
    defaultDoc: 'the root namespace',
    doc: 'Namespace that the `namespace` of resources is relative to.',
  },
  ca_cert_file: {
    type: 'string',
    option: 'caCertFile',
    tls: true,
    variable: 'CACERT',
    group: 'authorities',
    defaultDoc: 'the CA certificates of the system',
    doc: "PEM file with the CA certificates to trust instead of the system's.",
  },
  ca_cert_dir: {
    type: 'string',
    option: 'caCertDir',
    tls: true,
    variable: 'CAPATH',
    group: 'authorities',
    defaultDoc: 'the CA certificates of the system',
    doc: 'Directory with PEM files of CA certificates to trust instead of those of the system.',
  },
  skip_tls_verify: {
    type: 'boolean',
    option: 'skipVerify',
    tls: true,
    variable: 'SKIP_VERIFY',
    default: false,
    doc: 'Accepts any server certificate. Only for testing.',
  },
  tls_server_name: {
    type: 'string',
    option: 'serverName',
    tls: true,
    variable: 'TLS_SERVER_NAME',
    defaultDoc: 'the host of the address',
    doc: 'Name to request with SNI and to expect in the server certificate.',
  },
  timeout: {
    type: 'duration',
    option: 'timeout',
    variable: 'CLIENT_TIMEOUT',
    default: '60s',
    doc: 'Timeout of a request, including retries: seconds, or a duration such as `90s` or `2m`; `0` for no limit.',
  },
  max_retries: {
    type: 'integer',
    option: 'maxRetries',
    variable: 'MAX_RETRIES',
    default: 2,
    doc: 'Number of retries of a request after 412, 429, 5xx and dropped connections.',
  },
  dialect: {
    type: 'string',
    option: 'dialect',
    variable: 'DIALECT',
    default: 'vault',
    allowed: DIALECTS,
    doc:
      "Vendor names that the server uses: `vault` for Vault's own, `neutral` for those of an interface " +
      "without vendor names. Resources use Vault's names in either case.",
  },
  check_rights: {
    type: 'string',
    option: 'checkRights',
    variable: 'CHECK_RIGHTS',
    ofProvider: true,
    default: 'apply',
    allowed: ['apply', 'apply_only', 'plan'],
    doc:
      'When a token without the rights for planned changes is an error: `apply`, before the first write, with a warning in the ' +
      'plan; `apply_only`, without that warning, for plans with a token that may only read; or `plan`.',
  },
  headers: {
    type: 'string_map',
    sensitive: true,
    option: 'headers',
    variable: 'HEADERS',
    defaultDoc: 'none',
    doc:
      'Headers to send with every request, such as those that a proxy in front of the server requires. Names such as ' +
      '`X-Vault-Token`, which the client sets itself, are refused. In an environment variable, headers are JSON: ' +
      '`{"CF-Access-Client-Id": "…"}`.',
  },
} as const satisfies Readonly<Record<string, ClusterSetting>>;

/** All settings of the connection to a cluster. */
export const CLUSTER_SETTINGS = {
  ...CLUSTER_ARGUMENTS,
  ca_cert_pem: {
    type: 'string',
    option: 'caCertPem',
    tls: true,
    variable: 'CACERT_BYTES',
    environmentOnly: true,
    group: 'authorities',
    defaultDoc: 'the CA certificates of the system',
    doc: 'The same CA certificates, as PEM text.',
  },
  disable_redirects: {
    type: 'boolean',
    option: 'disableRedirects',
    variable: 'DISABLE_REDIRECTS',
    environmentOnly: true,
    default: false,
    doc: 'Refuses redirects instead of following one.',
  },
  proxy_addr: {
    type: 'string',
    option: 'proxy',
    variable: 'PROXY_ADDR',
    olderVariable: 'HTTP_PROXY',
    environmentOnly: true,
    defaultDoc: '`HTTPS_PROXY`, or `HTTP_PROXY` for an address without TLS, unless `NO_PROXY` has the host',
    doc: 'URL of the proxy for all requests: `http`, `https` or `socks5`.',
  },
  rate_limit: {
    type: 'string',
    option: 'rateLimit',
    variable: 'RATE_LIMIT',
    environmentOnly: true,
    defaultDoc: 'no limit',
    doc: 'Maximum number of requests per second, optionally with a maximum burst: `100` or `100:200`.',
  },
  client_cert_file: {
    type: 'string',
    option: 'clientCertFile',
    tls: true,
    variable: 'CLIENT_CERT',
    argument: 'client_auth.cert_file',
    group: 'client_certificate',
    defaultDoc: 'none',
    doc: 'PEM file with the client certificate.',
  },
  client_key_file: {
    type: 'string',
    option: 'clientKeyFile',
    tls: true,
    variable: 'CLIENT_KEY',
    argument: 'client_auth.key_file',
    group: 'client_certificate',
    defaultDoc: 'none',
    doc: 'PEM file with the private key of the client certificate.',
  },
} as const satisfies Readonly<Record<string, ClusterSetting>>;

export type ClusterSettingName = keyof typeof CLUSTER_SETTINGS;

/** The values of the settings in the form that the client uses: durations in seconds. */
export type ClusterSettingValues = {
  readonly [Name in ClusterSettingName]?: ValueTypes[(typeof CLUSTER_SETTINGS)[Name]['type']];
};

interface ValueTypes {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly duration: number;
  readonly string_map: Readonly<Record<string, string>>;
}

/** A value of a setting as it is configured: a text, or a value of the setting's type. */
export type GivenSetting = string | number | boolean | Readonly<Record<string, string>>;

/** Returns the problem of a configured value of a setting; `undefined` if it is valid. */
export function clusterSettingProblem(
  name: ClusterSettingName,
  value: GivenSetting,
): TextProblem | undefined {
  const setting: ClusterSetting = CLUSTER_SETTINGS[name];
  switch (setting.type) {
    case 'boolean':
      return booleanProblem(value);
    case 'integer':
      return countProblem(value);
    case 'duration':
      return limitProblem(value);
    case 'string_map':
      return headersProblem(value);
    default:
      return setting.allowed ? choiceProblem(value, setting.allowed) : TEXT_PROBLEMS[name]?.(asText(value));
  }
}

/** Converts a valid value of a setting into the form that the client uses. */
export function clusterSettingValue<N extends ClusterSettingName>(
  name: N,
  value: GivenSetting,
): NonNullable<ClusterSettingValues[N]> {
  return convert(CLUSTER_SETTINGS[name].type, value) as NonNullable<ClusterSettingValues[N]>;
}

const TEXT_PROBLEMS: { readonly [Name in ClusterSettingName]?: (value: string) => TextProblem | undefined } =
  {
    address: addressProblem,
    token: tokenProblem,
    namespace: namespacePathProblem,
    proxy_addr: proxyProblem,
    rate_limit: rateProblem,
  };

function asText(value: GivenSetting): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function convert(type: Field['type'], value: GivenSetting): GivenSetting | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : isTrue(asText(value));
    case 'integer':
      return Number(value);
    case 'duration':
      // A number is an option of the client, which may be a fraction of a second.
      return typeof value === 'number' ? value : parseDuration(asText(value));
    case 'string_map':
      return headersOf(value);
    default:
      return value;
  }
}

/** The connection to a cluster: its settings and their rules. */
export const CLUSTER_CONNECTION = {
  title: 'Vault cluster',
  fields: CLUSTER_SETTINGS,
  rules: (Object.keys(CLUSTER_SETTINGS) as ClusterSettingName[]).map((name) =>
    fieldsRule([name], `${name.replaceAll('_', '-')}-valid`, ({ [name]: value }) =>
      isSettingValue(value) ? clusterSettingProblem(name, value) : undefined,
    ),
  ),
} as const satisfies Pick<ObjectDefinition, 'title' | 'fields' | 'rules'>;

function isSettingValue(value: unknown): value is GivenSetting {
  return ['string', 'number', 'boolean', 'object'].includes(typeof value) && value !== null;
}

/** Parameters of logins that only identify the user. All others are secret. */
const PUBLIC_PARAMETERS: ReadonlySet<string> = new Set([
  'iam_http_request_method',
  'name',
  'provider',
  'resource_group_name',
  'resource_id',
  'role',
  'role_id',
  'role_name',
  'signing_time',
  'subscription_id',
  'username',
  'vm_name',
  'vmss_name',
]);

/** Whether a parameter of a login, such as `password`, is secret. */
export function isSecretParameter(name: string): boolean {
  return !PUBLIC_PARAMETERS.has(name);
}

/** A login that obtains the token of a cluster. */
export const AUTH_LOGIN = {
  doc:
    'Logs in at the first request that requires a token. The token is renewed while it is in use. If it expires or the server ' +
    'no longer knows it, the provider logs in again. Tokens are revoked when Terraform is done. Terraform logs in once for ' +
    'the plan and once for the apply, so a `secret_id` that can be used only once is not enough. Conflicts with `token`.',
  fields: {
    path: {
      type: 'string',
      doc:
        'Path to log in at, such as `auth/approle/login` or `auth/userpass/login/deployer`. Default: the usual path of ' +
        '`method`.',
    },
    namespace: {
      type: 'string',
      doc: "Namespace of the auth method, as a full path. Default: the cluster's `namespace`.",
    },
    method: {
      type: 'string',
      doc:
        'Type of the auth method, such as `approle`, `jwt`, `cert` or `userpass`. Required if `path` is left out. The ' +
        'path then ends with the `username` in `parameters`, if there is one.',
    },
    secret_id_wrapping_path: {
      type: 'string',
      doc:
        'The path at which the `secret_id` in `parameters` was wrapped, such as `auth/approle/role/ci/secret-id`. The ' +
        '`secret_id` is then a wrapping token, which is unwrapped once, before the first login. A token from another path is refused. ' +
        'Default: the `secret_id` is not wrapped.',
    },
  },
  parametersDoc: 'The parameters of the login, such as `role_id` and `secret_id`, or `password`.',
} as const;
