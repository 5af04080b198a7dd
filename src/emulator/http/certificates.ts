import { isIP } from 'node:net';
import { ipAddress, issueCertificate } from '../../certificates';

/** A certificate, its key and its CA, in PEM. */
export interface ServerCertificate {
  readonly caCertificate: string;
  readonly certificate: string;
  readonly privateKey: string;
}

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/**
 * Creates a CA, and a certificate of it for `127.0.0.1`, `::1` and `localhost`.
 *
 * @param hosts further names and addresses for the certificate.
 */
export function makeServerCertificate(hosts: readonly string[] = [], now = Date.now()): ServerCertificate {
  const validity = { validFrom: new Date(now - MINUTE), validTo: new Date(now + YEAR) };
  const ca = issueCertificate({ ...validity, commonName: 'Vault emulator CA', authority: true });
  const server = issueCertificate({
    ...validity,
    commonName: 'Vault emulator',
    uses: ['server'],
    names: [
      { dns: 'localhost' },
      { ip: ipAddress('127.0.0.1') },
      { ip: ipAddress('::1') },
      ...hosts.map(alternativeName),
    ],
    issuer: ca,
  });
  return { caCertificate: ca.pem, certificate: server.pem, privateKey: server.key };
}

function alternativeName(host: string): { readonly ip: Buffer } | { readonly dns: string } {
  return isIP(host) === 0 ? { dns: host } : { ip: ipAddress(host) };
}
