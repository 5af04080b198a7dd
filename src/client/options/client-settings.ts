import { unescape } from 'node:querystring';
import { normalizeNamespace, type Dialect } from '../../model';
import { CLUSTER_SETTINGS, parseRate } from '../../model/clusters';
import { VaultError } from '../vault-error';
import { SYSTEM_CLOCK, type Clock, type Milliseconds, type Seconds } from '../transport/clock';
import { checkCertificatePair, checkSetting } from './setting-checks';
import { standardProxyFor, withScheme } from './proxies';
import type { Rate } from '../transport/rate-limit';
import {
  SETTING,
  USUAL_PREFIX,
  type ClientOptions,
  type TlsOptions,
  type TokenSource,
  type Warning,
} from './client-options';
import { trimmedEnd } from '../../text';

const UNIX = 'unix://';
/** The default in seconds. */
const DEFAULT_ATTEMPT_TIMEOUT = 30;

/** Checked options, completed with defaults. */
export interface Settings {
  /** The address for messages: origin and path. */
  readonly address: string;
  readonly origin: string;
  /** The path of the socket if the address is one; the origin is then only a placeholder. */
  readonly socketPath: string | undefined;
  /** Returns the URL of the proxy for an origin; `undefined` for none. */
  readonly proxyFor: (origin: string) => string | undefined;
  /** The rate limit; `undefined` for none. */
  readonly rate: Rate | undefined;
  /** The address' path, followed by `/v1/`. */
  readonly basePath: string;
  readonly namespace: string | undefined;
  /** Headers in addition to those of the client. */
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  /** Returns the token for every call, in place of `token`. */
  readonly tokens: TokenSource | undefined;
  /**
   * Further secrets that a server or a proxy may repeat: tokens of the client that this one is
   * derived from, passwords, headers.
   */
  readonly otherSecrets: readonly string[];
  /** The limit of a call; `Infinity` for none. */
  readonly timeout: Milliseconds;
  /** The limit of an attempt; `Infinity` for none. */
  readonly attemptTimeout: Milliseconds;
  readonly maxRetries: number;
  readonly disableRedirects: boolean;
  readonly dialect: Dialect;
  readonly variablePrefix: string;
  /** The places from which options come, for messages. */
  readonly settingNames: Readonly<Record<string, string>> | undefined;
  /**
   * The setting with the trusted certificates, for messages. Absent if the system's are trusted.
   */
  readonly trusted: string | undefined;
  readonly onWarning: ((warning: Warning) => void) | undefined;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws VaultError `invalid_options`
 */
export function settingsOf(options: ClientOptions): Settings {
  const { tls } = options;
  checkCertificatePair(tls?.clientCertFile, tls?.clientKeyFile, ['clientCertFile', 'clientKeyFile']);
  if (tls && options.dispatcher) {
    throw new VaultError({
      code: 'invalid_options',
      message:
        'tls and dispatcher are given: a dispatcher does TLS by its own settings; leave one of them out',
    });
  }
  const { address, timeout, max_retries, disable_redirects, dialect } = CLUSTER_SETTINGS;
  const given = checkSetting('address', options.address ?? address.default, 'address');
  const socketPath = given.startsWith(UNIX) ? given.slice(UNIX.length) : undefined;
  const url = new URL(socketPath === undefined ? given : 'http://localhost');
  const path = trimmedEnd(url.pathname, '/');
  return {
    address: socketPath === undefined ? `${url.origin}${path}` : given,
    origin: url.origin,
    socketPath,
    basePath: `${path}/v1/`,
    proxyFor: proxyFor(options),
    rate:
      options.rateLimit === undefined
        ? undefined
        : parseRate(checkSetting('rate_limit', options.rateLimit, 'rateLimit')),
    ...sentAlong(options),
    tokens: options.tokens,
    headers: checkSetting('headers', options.headers ?? {}, 'headers'),
    otherSecrets: secretsSentAlong(options),
    timeout: limit(checkSetting('timeout', options.timeout ?? timeout.default, 'timeout')),
    attemptTimeout: limit(
      checkSetting('timeout', options.attemptTimeout ?? DEFAULT_ATTEMPT_TIMEOUT, 'attemptTimeout'),
    ),
    maxRetries: checkSetting('max_retries', options.maxRetries ?? max_retries.default, 'maxRetries'),
    disableRedirects: options.disableRedirects ?? disable_redirects.default,
    dialect: options.dialect ?? dialect.default,
    variablePrefix: options.variablePrefix ?? USUAL_PREFIX,
    settingNames: options.settingNames,
    trusted: trustedOf(tls),
    onWarning: options.onWarning,
    clock: options.clock ?? SYSTEM_CLOCK,
    random: options.random ?? Math.random,
  };
}

/** Returns the setting with the trusted certificates, and the file or folder that it names. */
function trustedOf({ caCertFile, caCertPem, caCertDir }: TlsOptions = {}): string | undefined {
  if (caCertFile) return `${SETTING.caCertFile} is ${caCertFile}`;
  if (caCertPem) return `${SETTING.caCertPem} is given`;
  return caCertDir ? `${SETTING.caCertDir} is ${caCertDir}` : undefined;
}

/** Returns the secrets, besides the token, that a server or a proxy receives and may repeat. */
export function secretsSentAlong({ headers = {}, ...options }: ClientOptions): readonly string[] {
  // The text after the scheme in `Bearer …` is a secret of its own.
  const values = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
  return [...new Set([...proxyPasswords(options), ...values])];
}

/**
 * Returns the passwords of proxies: a proxy may repeat its password, and errors contain its URL.
 */
function proxyPasswords({ proxy, standardProxies = {} }: ClientOptions): readonly string[] {
  return [proxy, standardProxies.http, standardProxies.https].flatMap((given = '') => {
    const url = withScheme(given);
    const { password = '' } = URL.canParse(url) ? new URL(url) : {};
    return password === '' ? [] : [password, unescape(password)];
  });
}

function proxyFor({ proxy, standardProxies = {} }: ClientOptions): Settings['proxyFor'] {
  if (proxy !== undefined) {
    const url = checkSetting('proxy_addr', proxy, 'proxy');
    return () => url;
  }
  return (origin) => {
    const url = standardProxyFor(origin, standardProxies);
    return url === undefined ? undefined : checkSetting('proxy_addr', url, 'HTTPS_PROXY or HTTP_PROXY');
  };
}

/**
 * Returns the settings that are sent with every request.
 *
 * @throws VaultError `invalid_options`
 */
export function sentAlong({
  token = '',
  namespace = '',
}: Pick<ClientOptions, 'token' | 'namespace'>): Pick<Settings, 'token' | 'namespace'> {
  return {
    token: checkSetting('token', token, 'token') || undefined,
    namespace: normalizeNamespace(checkSetting('namespace', namespace, 'namespace')) || undefined,
  };
}

/** Returns a limit in milliseconds; 0 means no limit. */
export function limit(seconds: Seconds): Milliseconds {
  return seconds === 0 ? Infinity : seconds * 1000;
}
