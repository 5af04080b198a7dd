import {
  checkAddress,
  checkCertificatePair,
  checkCount,
  checkDialect,
  checkDuration,
  checkNamespace,
  checkToken,
  invalid,
} from './checks';
import type { ClientOptions, TlsOptions } from './client-options';

/** Environment variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Options from the usual variables: `VAULT_ADDR`, `_TOKEN`, `_NAMESPACE`, `_CACERT`, `_CACERT_BYTES`, `_CAPATH`,
 * `_CLIENT_CERT`, `_CLIENT_KEY`, `_SKIP_VERIFY`, `_TLS_SERVER_NAME`, `_CLIENT_TIMEOUT` (seconds or a duration)
 * and `_MAX_RETRIES`; and from `_DIALECT`, which is `vault` or `neutral`. A variable that is empty counts as absent; what
 * no variable gives is absent from the result.
 *
 * @param prefix of the variables' names, for a set of one's own: `VAULTADMIN_US_`.
 * @throws VaultError `invalid_options`: names the variable, its value (never a token) and what is allowed.
 */
export function clientOptionsFromEnvironment(env: Environment, prefix = 'VAULT_'): ClientOptions {
  const read = <T>(variable: string, parse: (value: string, name: string) => T): T | undefined => {
    const value = env[prefix + variable];
    return value ? parse(value, prefix + variable) : undefined;
  };

  const tls: TlsOptions = present({
    caCertFile: read('CACERT', asIs),
    caCertPem: read('CACERT_BYTES', asIs),
    caCertDir: read('CAPATH', asIs),
    clientCertFile: read('CLIENT_CERT', asIs),
    clientKeyFile: read('CLIENT_KEY', asIs),
    skipVerify: read('SKIP_VERIFY', parseBoolean),
    serverName: read('TLS_SERVER_NAME', asIs),
  });
  checkCertificatePair(tls.clientCertFile, tls.clientKeyFile, [
    `${prefix}CLIENT_CERT`,
    `${prefix}CLIENT_KEY`,
  ]);

  return present({
    address: read('ADDR', (value, name) => (checkAddress(value, name), value)),
    token: read('TOKEN', checkToken),
    namespace: read('NAMESPACE', checkNamespace),
    tls: Object.keys(tls).length > 0 ? tls : undefined,
    timeout: read('CLIENT_TIMEOUT', checkDuration),
    maxRetries: read('MAX_RETRIES', checkCount),
    dialect: read('DIALECT', checkDialect),
  });
}

function asIs(value: string): string {
  return value;
}

/** The spellings that the product's own command line takes. */
function parseBoolean(value: string, name: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(value)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(value)) return false;
  throw invalid(name, value, 'true or false');
}

function present<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
