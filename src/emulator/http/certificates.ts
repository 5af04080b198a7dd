import { generate } from 'selfsigned';

/** All in PEM. */
export interface ServerCertificate {
  readonly caCertificate: string;
  readonly certificate: string;
  readonly privateKey: string;
}

const VALID_DAYS = 365;
const OPTIONS = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Makes a CA, and a certificate of it for `127.0.0.1`, `::1` and `localhost`. */
export async function makeServerCertificate(): Promise<ServerCertificate> {
  const notBeforeDate = new Date(Date.now() - 60_000);
  const notAfterDate = new Date(Date.now() + VALID_DAYS * 24 * 3600 * 1000);
  const ca = await generate([{ name: 'commonName', value: 'Vault emulator CA' }], {
    ...OPTIONS,
    notBeforeDate,
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'Vault emulator' }], {
    ...OPTIONS,
    notBeforeDate,
    notAfterDate,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { caCertificate: ca.cert, certificate: server.cert, privateKey: server.private };
}
