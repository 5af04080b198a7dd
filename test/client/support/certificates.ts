import { type Certificate, type CertificateRequest, issueCertificate } from '../../../src/certificates';

/** A certificate and its key in PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** An authority, which signs other certificates. */
export interface Authority extends Pair {
  readonly certificate: Certificate;
}

const DAY = 24 * 3600 * 1000;

export function makeAuthority(name: string): Authority {
  const validity = daysFromNow(-3000, 1);
  const certificate = issueCertificate({ ...validity, commonName: name, authority: true });
  return { cert: certificate.pem, key: certificate.key, certificate };
}

/** Returns a certificate for servers and clients. `validFrom` and `validTo` are days from now. */
export function makeCertificate(
  authority: Authority,
  names: NonNullable<CertificateRequest['names']>,
  { validFrom = -1, validTo = 1 } = {},
): Pair {
  const { pem, key } = issueCertificate({
    ...daysFromNow(validFrom, validTo),
    commonName: 'Test',
    uses: ['server', 'client'],
    names,
    issuer: authority.certificate,
  });
  return { cert: pem, key };
}

function daysFromNow(from: number, to: number): Pick<CertificateRequest, 'validFrom' | 'validTo'> {
  return { validFrom: new Date(Date.now() + from * DAY), validTo: new Date(Date.now() + to * DAY) };
}
