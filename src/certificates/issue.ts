import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { Ber, type BerWriter } from 'asn1';
import { encode, writeBits, writeEncoded, writeFlags, writeSequence, writeTime } from './der';
import { isIPv4, isIPv6 } from 'node:net';

/** A certificate with its private key. */
export interface Certificate {
  readonly commonName: string;
  /** The certificate as PEM. */
  readonly pem: string;
  /** The certificate as DER. */
  readonly der: Buffer;
  /** The private key, PKCS#8 as PEM. */
  readonly key: string;
  /** Identifies the key, in this certificate and in those that it signed. */
  readonly keyId: Buffer;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly validFrom: Date;
  /** Not after 2049. */
  readonly validTo: Date;
  /** Lets it sign other certificates. Default: false. */
  readonly authority?: boolean;
  /** What it may be used for, beside signing others. Default: nothing. */
  readonly uses?: readonly Use[];
  /** The names and IP addresses that it is valid for. Default: none. */
  readonly names?: readonly Name[];
  /** Who signs it. Default: its own key. */
  readonly issuer?: Certificate;
}

type Use = 'server' | 'client';
type Name = { readonly dns: string } | { readonly ip: string };

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
const VERSION_3 = 2;

/** Makes a key on the curve P-256, and a certificate for it. */
export function issueCertificate(request: CertificateRequest): Certificate {
  const { commonName, issuer } = request;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const keyId = idOf(publicKey);
  const body = toBeSigned(request, publicKey, keyId);
  const der = encode((writer) =>
    writeSequence(writer, () => {
      writeEncoded(writer, body);
      writeAlgorithm(writer);
      writeBits(writer, sign('sha256', body, issuer?.key ?? privateKey));
    }),
  );
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  return { commonName, pem: toPem(der), der, key, keyId };
}

function idOf(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest()
    .subarray(0, 20);
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function toBeSigned(request: CertificateRequest, publicKey: KeyObject, keyId: Buffer): Buffer {
  const { commonName, issuer, validFrom, validTo } = request;
  return encode((writer) =>
    writeSequence(writer, () => {
      writeSequence(writer, () => writer.writeInt(VERSION_3), TAG.version);
      writeSerialNumber(writer);
      writeAlgorithm(writer);
      writeName(writer, issuer?.commonName ?? commonName);
      writeSequence(writer, () => {
        writeTime(writer, validFrom);
        writeTime(writer, validTo);
      });
      writeName(writer, commonName);
      writeEncoded(writer, publicKey.export({ format: 'der', type: 'spki' }));
      writeSequence(
        writer,
        () => writeSequence(writer, () => writeExtensions(writer, request, keyId)),
        TAG.extensions,
      );
    }),
  );
}

function writeExtensions(writer: BerWriter, request: CertificateRequest, keyId: Buffer): void {
  const { authority = false, uses = [], names = [], issuer } = request;
  writeExtension(writer, OID.basicConstraints, { critical: true }, (value) =>
    writeSequence(value, () => {
      if (authority) value.writeBoolean(true);
    }),
  );
  writeExtension(writer, OID.keyUsage, { critical: true }, (value) =>
    writeFlags(
      value,
      (authority ? KEY_USAGE.keyCertSign : 0) | (uses.length > 0 ? KEY_USAGE.digitalSignature : 0),
    ),
  );
  // Strict clients, such as Python's from 3.13 on, refuse chains without the ids of the keys.
  writeExtension(writer, OID.subjectKeyId, { critical: false }, (value) =>
    value.writeBuffer(keyId, Ber.OctetString),
  );
  writeExtension(writer, OID.authorityKeyId, { critical: false }, (value) =>
    writeSequence(value, () => value.writeBuffer(issuer?.keyId ?? keyId, TAG.keyId)),
  );
  if (uses.length > 0) {
    writeExtension(writer, OID.extendedKeyUsage, { critical: false }, (value) =>
      writeSequence(value, () => uses.forEach((use) => value.writeOID(USE_OID[use], Ber.OID))),
    );
  }
  if (names.length > 0) {
    writeExtension(writer, OID.subjectAltName, { critical: false }, (value) =>
      writeSequence(value, () => names.forEach((name) => writeAlternative(value, name))),
    );
  }
}

function writeAlternative(writer: BerWriter, name: Name): void {
  if ('dns' in name) writer.writeString(name.dns, TAG.dnsName);
  else writer.writeBuffer(bytesOfAddress(name.ip), TAG.ipAddress);
}

function writeExtension(
  writer: BerWriter,
  oid: string,
  { critical }: { critical: boolean },
  writeValue: (writer: BerWriter) => void,
): void {
  writeSequence(writer, () => {
    writer.writeOID(oid, Ber.OID);
    if (critical) writer.writeBoolean(true);
    writer.writeBuffer(encode(writeValue), Ber.OctetString);
  });
}

function writeSerialNumber(writer: BerWriter): void {
  const serial = randomBytes(16);
  // Positive, and without a leading zero byte: DER has one form only for a number.
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  writer.writeBuffer(serial, Ber.Integer);
}

function writeAlgorithm(writer: BerWriter): void {
  writeSequence(writer, () => writer.writeOID(OID.ecdsaWithSha256, Ber.OID));
}

function writeName(writer: BerWriter, commonName: string): void {
  writeSequence(writer, () =>
    writeSequence(
      writer,
      () =>
        writeSequence(writer, () => {
          writer.writeOID(OID.commonName, Ber.OID);
          writer.writeString(commonName, Ber.Utf8String);
        }),
      Ber.Constructor | Ber.Set,
    ),
  );
}

/** The bytes of an IP address, as they stand in a certificate. @throws when it is not one. */
function bytesOfAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (isIPv6(address)) return Buffer.from(fullGroups(address).join(''), 'hex');
  throw new Error(`an IP address is not valid: received "${address}"; allowed: such as 127.0.0.1 or ::1`);
}

/** The eight groups, of four digits each. */
function fullGroups(address: string): string[] {
  // A URL writes the last two groups in hexadecimal, too, where they were written as IPv4.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter((group) => group));
  const zeros = Array<string>(8 - head.length - tail.length).fill('');
  return [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0'));
}
