import { VaultError } from '../../client';
import {
  checkAddress,
  checkCount,
  checkDialect,
  checkDuration,
  checkNamespace,
  checkToken,
} from '../../client/options/checks';
import { isKnown, isWhollyKnown, type Unknown } from '../../plugin';
import { configuredCredential } from './credential';
import type { ClusterConfiguration, KnownConfiguration } from './schema';
import type { Layer, Report } from './settings';

/** What the provider's configuration says on one cluster, and which of its attributes are not known yet. */
export function configuredLayer(
  configuration: ClusterConfiguration | null | Unknown,
  report: Report,
): { layer: Layer; unknown: readonly string[] } {
  const { known, unknown } = divide(configuration);
  const checked = <K extends keyof KnownConfiguration, T>(
    attribute: K,
    check: (value: NonNullable<KnownConfiguration[K]>, attribute: K) => T,
  ): T | undefined => {
    try {
      return known[attribute] == null ? undefined : check(known[attribute], attribute);
    } catch (error) {
      if (!VaultError.is(error)) throw error;
      report(`${attribute} is not valid`, `${error.message}.`);
      return undefined;
    }
  };

  return {
    unknown,
    layer: {
      address: checked('address', (value, name) => checkAddress(value, name).href),
      credential: configuredCredential(checked('token', checkToken), known.auth_login, report),
      namespace: checked('namespace', checkNamespace),
      authorities: authorities(known),
      clientCertificate: clientCertificate(known.client_auth),
      skipVerify: known.skip_tls_verify ?? undefined,
      serverName: known.tls_server_name ?? undefined,
      timeout: checked('timeout', checkDuration),
      maxRetries: checked('max_retries', checkCount),
      dialect: checked('dialect', checkDialect),
    },
  };
}

function divide(configuration: ClusterConfiguration | null | Unknown): {
  known: KnownConfiguration;
  unknown: readonly string[];
} {
  if (!isKnown(configuration)) return { known: {}, unknown: ['clusters'] };
  const attributes = Object.entries(configuration ?? {});
  return {
    known: Object.fromEntries(attributes.filter(([, value]) => isWhollyKnown(value))),
    unknown: attributes.filter(([, value]) => !isWhollyKnown(value)).map(([name]) => name),
  };
}

function authorities({ ca_cert_file, ca_cert_dir }: KnownConfiguration): Layer['authorities'] {
  if (!ca_cert_file && !ca_cert_dir) return undefined;
  return { caCertFile: ca_cert_file ?? undefined, caCertDir: ca_cert_dir ?? undefined };
}

function clientCertificate(files: KnownConfiguration['client_auth']): Layer['clientCertificate'] {
  return files ? { clientCertFile: files.cert_file, clientKeyFile: files.key_file } : undefined;
}
