import { Ber, BerWriter } from 'asn1';

/** DER, the encoding of certificates: what the writer of `asn1` has no method for. */

const TAG = { utcTime: 0x17 };

export function encode(content: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  content(writer);
  return writer.buffer;
}

export function writeSequence(writer: BerWriter, content: () => void, tag?: number): void {
  writer.startSequence(tag);
  content();
  writer.endSequence();
}

/** Writes a value that is encoded already. */
export function writeEncoded(writer: BerWriter, der: Buffer): void {
  const LONG_FORM = 0x80;
  const headerLength = der[1]! & LONG_FORM ? 2 + (der[1]! & ~LONG_FORM) : 2;
  writer.writeBuffer(der.subarray(headerLength), der[0]!);
}

/** Dates up to 2049 have two digits for the year. */
export function writeTime(writer: BerWriter, time: Date): void {
  const digits = time.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  writer.writeString(`${digits}Z`, TAG.utcTime);
}

export function writeBits(writer: BerWriter, bits: Buffer): void {
  const NO_UNUSED_BITS = Buffer.from([0]);
  writer.writeBuffer(Buffer.concat([NO_UNUSED_BITS, bits]), Ber.BitString);
}

/** Writes a list of flags, of which the first stands in the highest bit, without the zeros after the last. */
export function writeFlags(writer: BerWriter, flags: number): void {
  const unused = 31 - Math.clz32(flags & -flags);
  writer.writeBuffer(Buffer.from([unused, flags]), Ber.BitString);
}
