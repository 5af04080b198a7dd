import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Ber, BerWriter } from 'asn1';

/** A key pair for one run of the plugin, with a certificate that it signed itself. */
export interface ServerCertificate {
  /** The private key, PKCS#8 as PEM. */
  readonly key: string;
  /** The certificate as PEM. */
  readonly pem: string;
  /** The certificate as DER. */
  readonly der: Buffer;
}

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};
const TAG = { utcTime: 0x17, version: 0xa0, extensions: 0xa3, dnsName: 0x82 };
const VERSION_3 = 2;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes the server's side of the mutual TLS between Terraform and the plugin. Terraform trusts exactly this
 * certificate, as the root and the leaf in one, under the name `localhost`.
 */
export function createCertificate(now = new Date()): ServerCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const body = toBeSigned(publicKey.export({ format: 'der', type: 'spki' }), now);
  const der = write((writer) => {
    writer.startSequence();
    writeRaw(writer, body);
    writeAlgorithm(writer);
    writeBits(writer, sign('sha256', body, privateKey));
    writer.endSequence();
  });
  return { key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, pem: toPem(der), der };
}

/** The bytes of the first certificate in a PEM text. */
export function derOfPem(pem: string): Buffer {
  const match = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/.exec(pem);
  if (!match) throw new Error('no certificate in PEM format was found');
  return Buffer.from(match[1]!, 'base64');
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function toBeSigned(publicKey: Buffer, now: Date): Buffer {
  return write((writer) => {
    writer.startSequence();
    writer.startSequence(TAG.version);
    writer.writeInt(VERSION_3);
    writer.endSequence();
    writeSerialNumber(writer);
    writeAlgorithm(writer);
    writeName(writer, 'localhost');
    writer.startSequence();
    writeTime(writer, new Date(now.getTime() - DAY));
    writeTime(writer, new Date(now.getTime() + 365 * DAY));
    writer.endSequence();
    writeName(writer, 'localhost');
    writeRaw(writer, publicKey);
    writer.startSequence(TAG.extensions);
    writer.startSequence();
    writeExtensions(writer);
    writer.endSequence();
    writer.endSequence();
    writer.endSequence();
  });
}

function writeExtensions(writer: BerWriter): void {
  writeExtension(writer, OID.basicConstraints, { critical: true }, (value) => {
    value.startSequence();
    value.writeBoolean(true);
    value.endSequence();
  });
  writeExtension(writer, OID.keyUsage, { critical: true }, (value) => {
    // digitalSignature (bit 0) and keyCertSign (bit 5); the two lowest bits of the byte are unused
    value.writeBuffer(Buffer.from([2, 0b1000_0100]), Ber.BitString);
  });
  writeExtension(writer, OID.extendedKeyUsage, { critical: false }, (value) => {
    value.startSequence();
    value.writeOID(OID.serverAuth, Ber.OID);
    value.writeOID(OID.clientAuth, Ber.OID);
    value.endSequence();
  });
  writeExtension(writer, OID.subjectAltName, { critical: false }, (value) => {
    value.startSequence();
    value.writeString('localhost', TAG.dnsName);
    value.endSequence();
  });
}

function writeExtension(
  writer: BerWriter,
  oid: string,
  { critical }: { critical: boolean },
  writeValue: (writer: BerWriter) => void,
): void {
  writer.startSequence();
  writer.writeOID(oid, Ber.OID);
  if (critical) writer.writeBoolean(true);
  writer.writeBuffer(write(writeValue), Ber.OctetString);
  writer.endSequence();
}

function writeSerialNumber(writer: BerWriter): void {
  const serial = randomBytes(16);
  // Positive, and without a leading zero byte: DER has one form only for a number.
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  writer.writeBuffer(serial, Ber.Integer);
}

function writeAlgorithm(writer: BerWriter): void {
  writer.startSequence();
  writer.writeOID(OID.ecdsaWithSha256, Ber.OID);
  writer.endSequence();
}

function writeName(writer: BerWriter, commonName: string): void {
  writer.startSequence();
  writer.startSequence(Ber.Constructor | Ber.Set);
  writer.startSequence();
  writer.writeOID(OID.commonName, Ber.OID);
  writer.writeString(commonName, Ber.Utf8String);
  writer.endSequence();
  writer.endSequence();
  writer.endSequence();
}

/** Dates up to 2049 have two digits for the year. */
function writeTime(writer: BerWriter, time: Date): void {
  const digits = time.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  writer.writeString(`${digits}Z`, TAG.utcTime);
}

function writeBits(writer: BerWriter, bits: Buffer): void {
  const NO_UNUSED_BITS = Buffer.from([0]);
  writer.writeBuffer(Buffer.concat([NO_UNUSED_BITS, bits]), Ber.BitString);
}

/** Writes a sequence that is encoded already. */
function writeRaw(writer: BerWriter, der: Buffer): void {
  const LONG_FORM = 0x80;
  const headerLength = der[1]! & LONG_FORM ? 2 + (der[1]! & ~LONG_FORM) : 2;
  writer.writeBuffer(der.subarray(headerLength), der[0]!);
}

function write(content: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  content(writer);
  return writer.buffer;
}
