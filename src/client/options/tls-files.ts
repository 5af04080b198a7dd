import { createSecureContext, type ConnectionOptions } from 'node:tls';
import { SETTING, type TlsOptions } from './client-options';
import { certificates, readCertificates, readText, using } from './pem-files';
import { systemAuthorities } from './system-authorities';

/**
 * Reads and checks the files for TLS.
 *
 * @throws VaultError `invalid_options` for a file that cannot be read or used.
 */
export function loadTls(tls: TlsOptions): ConnectionOptions {
  const ca = authorities(tls);
  const cert = tls.clientCertFile && readText(tls.clientCertFile, SETTING.clientCertFile);
  const key = tls.clientKeyFile && readText(tls.clientKeyFile, SETTING.clientKeyFile);
  return {
    // The context is created once; with the texts, Node would parse them again for each connection.
    secureContext: using(`${tls.clientCertFile} with ${tls.clientKeyFile}`, SETTING.clientCertFile, () =>
      createSecureContext({ minVersion: 'TLSv1.2', ca, cert, key }),
    ),
    servername: tls.serverName,
    rejectUnauthorized: !tls.skipVerify,
  };
}

/** Returns the authorities to trust; `undefined` for those of Node.js. */
function authorities({
  caCertFile: file,
  caCertPem,
  caCertDir,
  skipVerify,
}: TlsOptions): string[] | undefined {
  if (file) return [certificates(readText(file, SETTING.caCertFile), file, SETTING.caCertFile)];
  if (caCertPem) return [certificates(caCertPem, 'the text given', SETTING.caCertPem)];
  if (caCertDir) return readCertificates(caCertDir, SETTING.caCertDir);
  return skipVerify ? undefined : systemAuthorities(process.env);
}
