import { generate } from 'selfsigned';

/** A certificate and its key, in PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
const DAY = 24 * 3600 * 1000;

export async function makeAuthority(name: string): Promise<Pair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    ...EC,
    notBeforeDate: new Date(Date.now() - 3000 * DAY),
    notAfterDate: new Date(Date.now() + DAY),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { cert, key };
}

/** A certificate for servers and clients. `validFrom`, `validTo`: days from now. */
export async function makeCertificate(
  authority: Pair,
  names: readonly { readonly dns?: string; readonly ip?: string }[],
  { validFrom = -1, validTo = 1 } = {},
): Promise<Pair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Test' }], {
    ...EC,
    ca: authority,
    notBeforeDate: new Date(Date.now() + validFrom * DAY),
    notAfterDate: new Date(Date.now() + validTo * DAY),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map(({ dns, ip }) => (ip === undefined ? { type: 2, value: dns } : { type: 7, ip })),
      },
    ],
  });
  return { cert, key };
}
