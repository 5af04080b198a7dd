import type { Dispatcher } from 'undici';
import type { Dialect } from '../../model';
import { CLUSTER_SETTINGS, type ClusterSetting, type ClusterSettingName } from '../../model/clusters';
import type { Clock, Seconds } from '../transport/clock';
import type { StandardProxies } from './proxies';

/** How to reach and use one cluster. Every option may be left out. */
export interface ClientOptions {
  /**
   * URL of the server; a path in it comes before `/v1/`. `unix:///run/vault.sock` is a socket on this machine.
   *
   * @default https://127.0.0.1:8200
   */
  readonly address?: string;
  /** Sent with every call. */
  readonly token?: string;
  /** Gives the token for every call, in place of `token`. */
  readonly tokens?: TokenSource | undefined;
  /**
   * Namespace of every call. Outer slashes do not matter.
   *
   * @default - the root namespace
   */
  readonly namespace?: string;
  readonly tls?: TlsOptions;
  /**
   * How long one call may take, including retries and the waits between them. 0: no limit.
   *
   * @default 60
   */
  readonly timeout?: Seconds;
  /**
   * How long one attempt of a repeatable call may take. 0: as long as the call.
   *
   * @default 30
   */
  readonly attemptTimeout?: Seconds;
  /**
   * How often a call is retried.
   *
   * @default 2
   */
  readonly maxRetries?: number;
  /**
   * Refuses redirects. Otherwise one is followed, as standbys send them: to any host, with the token, but not from TLS to
   * plain HTTP.
   *
   * @default false
   */
  readonly disableRedirects?: boolean;
  /**
   * URL of the proxy for all requests: `http`, `https` or `socks5`. It may have a user name and a password.
   *
   * @default - `standardProxies`
   */
  readonly proxy?: string;
  /**
   * The proxies that the environment has for all programs.
   *
   * @default - none
   */
  readonly standardProxies?: StandardProxies;
  /**
   * Requests per second, and how many may be sent at once after a pause: `100`, or `100:200`.
   *
   * @default - no limit
   */
  readonly rateLimit?: string;
  /**
   * Sent with every request, for proxies in front of the server. Their values are secret. Names that the client sets itself,
   * such as `X-Vault-Token`, are refused.
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
   * What the environment variables begin with that errors name.
   *
   * @default VAULT_
   */
  readonly variablePrefix?: string;
  /** Called for every warning in an answer. The answer holds its warnings as well. */
  readonly onWarning?: (warning: Warning) => void;
  /** Sends the requests in place of the client's own connections. It then does TLS, and is not closed. */
  readonly dispatcher?: Dispatcher;
  /** @default - the system's */
  readonly clock?: Clock;
  /** From 0 to below 1, for the jitter of waits. */
  readonly random?: () => number;
}

/** Where a token comes from that does not stay the same. */
export interface TokenSource {
  /** The token to send now. */
  current(): Promise<string>;
  /**
   * Returns another token, after a call was refused.
   *
   * @param certain whether the server said that it does not know the token. Otherwise the token may just not be allowed to.
   * @returns `undefined` if there is no other one.
   */
  replace(refused: string, options: { readonly certain: boolean }): Promise<string | undefined>;
}

/**
 * What TLS trusts and shows. The system's authorities are those of `SSL_CERT_FILE` and `SSL_CERT_DIR`, or of its store, and
 * those of `NODE_EXTRA_CA_CERTS`.
 */
export interface TlsOptions {
  /** PEM file of the authorities to trust, in place of the system's. Wins over the next two. */
  readonly caCertFile?: string;
  /** The same, as text. Wins over the next one. */
  readonly caCertPem?: string;
  /** Directory with PEM files of CA certificates to trust instead of the system's. */
  readonly caCertDir?: string;
  /** PEM file of the client's certificate; `clientKeyFile` comes with it. */
  readonly clientCertFile?: string;
  readonly clientKeyFile?: string;
  /**
   * Accepts any certificate: for tests only.
   *
   * @default false
   */
  readonly skipVerify?: boolean;
  /**
   * The name to ask for, and to expect in the server's certificate.
   *
   * @default - the address' host
   */
  readonly serverName?: string;
}

/** A warning of the server, and the call that it answers. */
export interface Warning {
  readonly text: string;
  readonly method: string;
  /** Below `/v1/`. */
  readonly path: string;
  readonly namespace?: string;
}

type OptionName = (typeof CLUSTER_SETTINGS)[ClusterSettingName]['option'];

/** What the variables begin with that all of the product's tools read. */
export const USUAL_PREFIX = 'VAULT_';

/** How messages name a setting: the option, the provider's argument and the usual variable. */
export const SETTING = Object.fromEntries(
  Object.entries<ClusterSetting>(CLUSTER_SETTINGS).map(
    ([name, { option, argument = name, environmentOnly, variable }]) => {
      const others = environmentOnly || argument === option ? [] : [argument];
      return [option, `${option} (${[...others, `${USUAL_PREFIX}${variable}`].join(', ')})`];
    },
  ),
) as Readonly<Record<OptionName, string>>;
