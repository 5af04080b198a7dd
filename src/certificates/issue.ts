import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { bits, flagBits, integer, octets, oid, sequence, setOf, tagged, time, utf8, yes } from './der';

/** A certificate with its private key. */
export interface Certificate {
  readonly commonName: string;
  /** The certificate as PEM. */
  readonly pem: string;
  /** The certificate as DER. */
  readonly der: Buffer;
  /** The private key, PKCS#8 as PEM. */
  readonly key: string;
  /** The id of the key, in this certificate and in those that it signed. */
  readonly keyId: Buffer;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly validFrom: Date;
  /** The end of the validity, at most 2049. */
  readonly validTo: Date;
  /** Whether it may sign other certificates. Default: false. */
  readonly authority?: boolean;
  /** The permitted uses, besides signing others. Default: none. */
  readonly uses?: readonly Use[];
  /** The names and IP addresses that it is valid for. Default: none. */
  readonly names?: readonly Name[];
  /** The certificate that signs it. Default: its own key. */
  readonly issuer?: Certificate;
}

type Use = 'server' | 'client';
/** A DNS name, or the bytes of an IP address. */
type Name = { readonly dns: string } | { readonly ip: Buffer };

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
};
const USE_OID = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };
const TAG = { version: 0xa0, extensions: 0xa3, dnsName: 0x82, ipAddress: 0x87, keyId: 0x80 };
const KEY_USAGE = { digitalSignature: 0b1000_0000, keyCertSign: 0b0000_0100 };
const VERSION_3 = Buffer.from([2]);

/** Creates a key on the curve P-256, and a certificate for it. */
export function issueCertificate(request: CertificateRequest): Certificate {
  const { commonName, issuer } = request;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicDer = publicKey.export({ format: 'der', type: 'spki' });
  const keyId = createHash('sha256').update(publicDer).digest().subarray(0, 20);
  const body = toBeSigned(request, publicDer, keyId);
  const der = sequence(body, algorithm(), bits(sign('sha256', body, issuer?.key ?? privateKey)));
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  return { commonName, pem: toPem(der), der, key, keyId };
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function toBeSigned(request: CertificateRequest, publicDer: Buffer, keyId: Buffer): Buffer {
  const { commonName, issuer, validFrom, validTo } = request;
  return sequence(
    tagged(TAG.version, integer(VERSION_3)),
    serialNumber(),
    algorithm(),
    name(issuer?.commonName ?? commonName),
    sequence(time(validFrom), time(validTo)),
    name(commonName),
    publicDer,
    tagged(TAG.extensions, sequence(...extensions(request, keyId))),
  );
}

function extensions(
  { authority = false, uses = [], names = [], issuer }: CertificateRequest,
  keyId: Buffer,
): Buffer[] {
  const usage = (authority ? KEY_USAGE.keyCertSign : 0) | (uses.length > 0 ? KEY_USAGE.digitalSignature : 0);
  const found = [
    extension(OID.basicConstraints, sequence(...(authority ? [yes()] : [])), { critical: true }),
    extension(OID.keyUsage, flagBits(usage), { critical: true }),
    // Strict clients, such as Python's from 3.13 on, refuse chains without the ids of the keys.
    extension(OID.subjectKeyId, octets(keyId)),
    extension(OID.authorityKeyId, sequence(tagged(TAG.keyId, issuer?.keyId ?? keyId))),
  ];
  if (uses.length > 0) {
    found.push(extension(OID.extendedKeyUsage, sequence(...uses.map((use) => oid(USE_OID[use])))));
  }
  if (names.length > 0) found.push(extension(OID.subjectAltName, sequence(...names.map(alternative))));
  return found;
}

function extension(id: string, value: Buffer, { critical = false } = {}): Buffer {
  return sequence(oid(id), ...(critical ? [yes()] : []), octets(value));
}

function alternative(name: Name): Buffer {
  return 'dns' in name ? tagged(TAG.dnsName, Buffer.from(name.dns)) : tagged(TAG.ipAddress, name.ip);
}

function serialNumber(): Buffer {
  const serial = randomBytes(16);
  // The number is positive and has no leading zero byte, because DER has only one form for a
  // number.
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return integer(serial);
}

function algorithm(): Buffer {
  return sequence(oid(OID.ecdsaWithSha256));
}

function name(commonName: string): Buffer {
  return sequence(setOf(sequence(oid(OID.commonName), utf8(commonName))));
}
