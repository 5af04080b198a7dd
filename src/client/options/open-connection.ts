import { ServerConnection } from '../transport/server-connection';
import { type ClientOptions, SETTING, type TlsOptions, withSettingNames } from './client-options';
import { settingsOf, type Settings } from './client-settings';
import { createSecureContext, type ConnectionOptions } from 'node:tls';
import { certificates, readCertificates, readText, using } from './pem-files';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import * as tls from 'node:tls';

/**
 * The files in which systems keep all authorities: the same paths, in the same order, as programs
 * in Go read.
 */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt', // Debian, Ubuntu, Arch, Alpine
  '/etc/pki/tls/certs/ca-bundle.crt', // Fedora, Red Hat 6
  '/etc/ssl/ca-bundle.pem', // openSUSE
  '/etc/pki/tls/cacert.pem', // OpenELEC
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem', // Red Hat 7 and later
  '/etc/ssl/cert.pem', // Alpine, BSD
];

/** Returns the name of an option of TLS in messages. */
type Naming = (option: keyof TlsOptions) => string;
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns a connection for options. Connections are opened, and certificates read, on the first
 * request.
 */
export function openConnection(
  options: ClientOptions,
  settings: Settings = settingsOf(options),
): ServerConnection {
  const { dispatcher, tls = {} } = options;
  return new ServerConnection({
    ...settings,
    tls: () => loadTls(tls, (option) => withSettingNames(SETTING[option], settings)),
    dispatcher,
  });
}

/**
 * Reads and checks the files for TLS.
 *
 * @throws VaultError `invalid_options` for a file that cannot be read or used.
 */
function loadTls(tls: TlsOptions, named: Naming): ConnectionOptions {
  const ca = authorities(tls, named);
  const cert = tls.clientCertFile && readText(tls.clientCertFile, named('clientCertFile'));
  const key = tls.clientKeyFile && readText(tls.clientKeyFile, named('clientKeyFile'));
  return {
    // The context is created here, once: from the texts, Node would create one for each connection.
    secureContext: using(`${tls.clientCertFile} with ${tls.clientKeyFile}`, named('clientCertFile'), () =>
      createSecureContext({ minVersion: 'TLSv1.2', ca, cert, key }),
    ),
    servername: tls.serverName,
    rejectUnauthorized: !tls.skipVerify,
  };
}

/** Returns the authorities to trust; `undefined` for those of Node.js. */
function authorities(
  { caCertFile: file, caCertPem, caCertDir, skipVerify }: TlsOptions,
  named: Naming,
): string[] | undefined {
  if (file) return [certificates(readText(file, named('caCertFile')), file, named('caCertFile'))];
  if (caCertPem) return [certificates(caCertPem, 'the text given', named('caCertPem'))];
  if (caCertDir) return readCertificates(caCertDir, named('caCertDir'));
  return skipVerify ? undefined : systemAuthorities(process.env);
}

/**
 * Returns the authorities that the system trusts, as PEM texts: those of `SSL_CERT_FILE` and
 * `SSL_CERT_DIR`, or of the system's store, and those of `NODE_EXTRA_CA_CERTS`. Returns `undefined`
 * if the system's store cannot be read: Node.js then uses its own authorities.
 *
 * @throws VaultError `invalid_options` if a variable names a file or folder that cannot be used.
 */
export function systemAuthorities(env: Variables, bundles = BUNDLES): string[] | undefined {
  const system = ofVariables(env) ?? store(bundles);
  return system && [...system, ...extra(env)];
}

/** Returns the authorities of the variables that OpenSSL and Go read. */
function ofVariables({ SSL_CERT_FILE: file, SSL_CERT_DIR: folders }: Variables): string[] | undefined {
  if (!file && !folders) return undefined;
  const fromFile = file ? [certificates(readText(file, 'SSL_CERT_FILE'), file, 'SSL_CERT_FILE')] : [];
  const names = folders?.split(delimiter).filter((folder) => folder !== '') ?? [];
  return [...fromFile, ...names.flatMap((folder) => readCertificates(folder, 'SSL_CERT_DIR'))];
}

function store(bundles: readonly string[]): string[] | undefined {
  const bundle = bundles.find((file) => existsSync(file));
  if (bundle !== undefined) return [readText(bundle, 'SSL_CERT_FILE')];
  // Node.js from 22.15 on reads the stores of macOS and Windows.
  const { getCACertificates } = tls as { getCACertificates?: (type: 'system') => string[] };
  const found = getCACertificates?.('system') ?? [];
  return found.length > 0 ? found : undefined;
}

/**
 * Returns the authorities in `NODE_EXTRA_CA_CERTS`. Node.js itself ignores the variable as soon as
 * it is given authorities.
 */
function extra({ NODE_EXTRA_CA_CERTS: file }: Variables): string[] {
  // If the file does not exist, Node.js has already warned.
  return file && existsSync(file) ? [readText(file, 'NODE_EXTRA_CA_CERTS')] : [];
}
