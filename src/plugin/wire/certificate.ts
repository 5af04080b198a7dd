import { type Certificate, issueCertificate } from '../../certificates';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Creates the server's certificate for the mutual TLS between Terraform and the plugin, for one
 * run. Terraform trusts exactly this certificate, which is both root and leaf, with the name
 * `localhost`.
 */
export function createCertificate(now = new Date()): Certificate {
  return issueCertificate({
    commonName: 'localhost',
    validFrom: new Date(now.getTime() - DAY),
    validTo: new Date(now.getTime() + 365 * DAY),
    authority: true,
    uses: ['server', 'client'],
    names: [{ dns: 'localhost' }],
  });
}

/** Returns the bytes of the first certificate in a PEM text. */
export function derOfPem(pem: string): Buffer {
  const match = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/.exec(pem);
  if (!match) throw new Error('no certificate in PEM format was found');
  return Buffer.from(match[1]!, 'base64');
}
