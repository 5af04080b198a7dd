import type { Dispatcher } from 'undici';
import type { Dialect } from '../../model';
import { CLUSTER_SETTINGS, type ClusterSetting, type ClusterSettingName } from '../../model/clusters';
import type { Clock, Seconds } from '../transport/clock';
import type { StandardProxies } from './proxies';

/** The options of a client of one cluster. All of them are optional. */
export interface ClientOptions {
  /**
   * The URL of the server. A path in it is sent before `/v1/`. `unix:///run/vault.sock` is a socket
   * on this machine.
   *
   * @default https://127.0.0.1:8200
   */
  readonly address?: string;
  /** The token of every call. */
  readonly token?: string;
  /** Returns the token for every call, in place of `token`. */
  readonly tokens?: TokenSource | undefined;
  /**
   * The namespace of every call. Leading and trailing slashes are ignored.
   *
   * @default - the root namespace
   */
  readonly namespace?: string;
  readonly tls?: TlsOptions;
  /**
   * The maximum duration of a call, including retries and the waits between them. 0: no limit.
   *
   * @default 60
   */
  readonly timeout?: Seconds;
  /**
   * The maximum duration of one attempt of a repeatable call. 0: no limit but that of the call.
   *
   * @default 30
   */
  readonly attemptTimeout?: Seconds;
  /**
   * The maximum number of retries of a call.
   *
   * @default 2
   */
  readonly maxRetries?: number;
  /**
   * Whether redirects are refused. Otherwise one redirect of a standby is followed: to any host,
   * with the token, but not from TLS to plain HTTP.
   *
   * @default false
   */
  readonly disableRedirects?: boolean;
  /**
   * URL of the proxy for all requests: `http`, `https` or `socks5`. It may have a user name and a
   * password.
   *
   * @default - `standardProxies`
   */
  readonly proxy?: string;
  /**
   * The proxies that the environment defines for all programs.
   *
   * @default - none
   */
  readonly standardProxies?: StandardProxies;
  /**
   * The requests per second, and the number that may be sent at once after a pause: `100`, or
   * `100:200`.
   *
   * @default - no limit
   */
  readonly rateLimit?: string;
  /**
   * Additional headers of every request, for proxies in front of the server. Their values are
   * treated as secret. Names that the client sets itself, such as `X-Vault-Token`, are refused.
   *
   * @default - none
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The names that the server uses for vendors.
   *
   * @default vault
   */
  readonly dialect?: Dialect;
  /**
   * The prefix of the environment variables in error messages.
   *
   * @default VAULT_
   */
  readonly variablePrefix?: string;
  /**
   * The places from which options come, for error messages: `{ caCertFile: 'VAULT_CACERT' }`.
   *
   * @default - the names of the option, of the provider's argument and of the environment variable
   */
  readonly settingNames?: Readonly<Record<string, string>>;
  /** Called for every warning in an answer. The response contains its warnings as well. */
  readonly onWarning?: (warning: Warning) => void;
  /**
   * Sends the requests in place of the client's own connections. It is responsible for TLS, and is
   * not closed by the client.
   */
  readonly dispatcher?: Dispatcher;
  /** @default - the system's */
  readonly clock?: Clock;
  /** Returns a number from 0 to below 1, for the random part of waits. */
  readonly random?: () => number;
}

/** The source of a token that changes. */
export interface TokenSource {
  /** Returns the current token. */
  current(): Promise<string>;
  /**
   * Returns another token after a call was refused.
   *
   * @param certain whether the server does not know the token. Otherwise the token may only lack a
   *   permission.
   * @returns `undefined` if there is no other token.
   */
  replace(refused: string, options: { readonly certain: boolean }): Promise<string | undefined>;
}

/**
 * The certificates that TLS trusts and sends. The system's authorities are those of `SSL_CERT_FILE`
 * and `SSL_CERT_DIR`, or of its store, and those of `NODE_EXTRA_CA_CERTS`.
 */
export interface TlsOptions {
  /**
   * The PEM file of the authorities to trust, in place of the system's. Takes precedence over
   * `caCertPem` and `caCertDir`.
   */
  readonly caCertFile?: string;
  /** The authorities to trust as PEM text. Takes precedence over `caCertDir`. */
  readonly caCertPem?: string;
  /** The directory with PEM files of CA certificates to trust instead of the system's. */
  readonly caCertDir?: string;
  /** The PEM file of the client's certificate; requires `clientKeyFile`. */
  readonly clientCertFile?: string;
  readonly clientKeyFile?: string;
  /**
   * Whether any certificate is accepted: for tests only.
   *
   * @default false
   */
  readonly skipVerify?: boolean;
  /**
   * The server name that TLS requests, and expects in the server's certificate.
   *
   * @default - the address' host
   */
  readonly serverName?: string;
}

/** A warning of the server, with the call that it is about. */
export interface Warning {
  readonly text: string;
  readonly method: string;
  /** The path below `/v1/`. */
  readonly path: string;
  readonly namespace?: string;
}

type OptionName = (typeof CLUSTER_SETTINGS)[ClusterSettingName]['option'];

/** The prefix of the environment variables that all Vault tools read. */
export const USUAL_PREFIX = 'VAULT_';

/**
 * The names of a setting in messages: the option, the provider's argument and the usual variable.
 */
export const SETTING = Object.fromEntries(
  Object.entries<ClusterSetting>(CLUSTER_SETTINGS).map(
    ([name, { option, argument = name, environmentOnly, variable }]) => {
      const others = environmentOnly || argument === option ? [] : [argument];
      return [option, `${option} (${[...others, `${USUAL_PREFIX}${variable}`].join(', ')})`];
    },
  ),
) as Readonly<Record<OptionName, string>>;

/**
 * Replaces the names of settings with the places from which they come. If the provider's argument
 * has the same name as the option, that name stays in front of the place.
 */
export function withSettingNames(
  text: string,
  {
    settingNames = {},
    variablePrefix = USUAL_PREFIX,
  }: Pick<ClientOptions, 'settingNames' | 'variablePrefix'>,
): string {
  return Object.entries(SETTING).reduce((written, [option, names]) => {
    const place = settingNames[option];
    if (place === undefined) return written.replaceAll(names, names.replace(USUAL_PREFIX, variablePrefix));
    const isOneWord = names.startsWith(`${option} (${USUAL_PREFIX}`);
    return written.replaceAll(names, isOneWord ? `${option} (${place})` : place);
  }, text);
}
