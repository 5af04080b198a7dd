import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext, type ConnectionOptions } from 'node:tls';
import { VaultError } from '../errors/vault-error';
import type { TlsOptions } from './client-options';
import { SETTING } from './client-options';

type Source = keyof typeof SETTING & keyof TlsOptions;

/**
 * Reads and checks the files that TLS needs.
 *
 * @throws VaultError `invalid_options`: a file that cannot be read or used.
 */
export function loadTls(tls: TlsOptions): ConnectionOptions {
  const ca = authorities(tls);
  const cert = tls.clientCertFile && readText(tls.clientCertFile, 'clientCertFile');
  const key = tls.clientKeyFile && readText(tls.clientKeyFile, 'clientKeyFile');
  return {
    // Made once: given the texts, Node would parse them again for each connection.
    secureContext: using(`${tls.clientCertFile} with ${tls.clientKeyFile}`, 'clientCertFile', () =>
      createSecureContext({ minVersion: 'TLSv1.2', ca, cert, key }),
    ),
    servername: tls.serverName,
    rejectUnauthorized: !tls.skipVerify,
  };
}

function authorities(tls: TlsOptions): string | string[] | undefined {
  if (tls.caCertFile)
    return certificates(readText(tls.caCertFile, 'caCertFile'), tls.caCertFile, 'caCertFile');
  if (tls.caCertPem) return certificates(tls.caCertPem, 'the text given', 'caCertPem');
  if (tls.caCertDir) return certificatesIn(tls.caCertDir);
  return undefined;
}

function certificatesIn(directory: string): string[] {
  const files = using(directory, 'caCertDir', () =>
    readdirSync(directory)
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile()),
  );
  if (files.length === 0) throw unusable(directory, 'caCertDir', 'it holds no file');
  return files.map((file) => certificates(readText(file, 'caCertDir'), file, 'caCertDir'));
}

/** Node.js accepts text without any certificate silently, and then trusts no server. */
function certificates(pem: string, origin: string, source: Source): string {
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw unusable(origin, source, 'it holds no PEM certificate');
}

function readText(file: string, source: Source): string {
  return using(file, source, () => readFileSync(file, 'utf8'));
}

function using<T>(origin: string, source: Source, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unusable(origin, source, (error as Error).message);
  }
}

function unusable(origin: string, source: Source, problem: string): VaultError {
  return new VaultError({
    code: 'invalid_options',
    message: `cannot use ${origin} for TLS: ${problem}; check ${SETTING[source]}`,
  });
}
