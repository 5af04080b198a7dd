import { basename } from 'node:path';
import { readBytes } from '../../policy/text-file';
import { UserError } from '../errors';
import { readNamed } from '../named-files';

/** The maximum size in bytes. */
const LONGEST_KEY = 1024 * 1024;
const ARMOR = /^-----BEGIN PGP (\w+) KEY BLOCK-----\r?\n(?:[^\r\n]+\r?\n)*\r?\n([A-Za-z0-9+/\s]+)/m;
/** The tags of the first packet of a key (RFC 9580). */
const PUBLIC_KEY = 6;

/** A PGP key that the server encrypts a share for. */
export interface PgpKey {
  /** The name of its file. */
  readonly name: string;
  /** The binary key in base64, as the server takes it. */
  readonly base64: string;
}

/**
 * Reads a public PGP key: armored, binary, or in base64.
 *
 * @throws UserError if the file cannot be read, or is something else, such as a private key.
 */
export function readPgpKey(file: string): PgpKey {
  const key = binaryOf(readNamed(`--pgp-key: ${file}`, () => readBytes(file, LONGEST_KEY)));
  if (packetTag(key) !== PUBLIC_KEY) {
    throw new UserError({
      summary: `--pgp-key: ${file} is not a public PGP key`,
      cures: 'export one with gpg --export --armor NAME',
    });
  }
  return { name: basename(file), base64: key.toString('base64') };
}

function binaryOf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const [, , armored] = ARMOR.exec(text) ?? [];
  if (armored !== undefined) return Buffer.from(armored, 'base64');
  return /^[A-Za-z0-9+/=\s]+$/.test(text) ? Buffer.from(text, 'base64') : bytes;
}

/** Returns the tag of the first packet: four bits in the old format, six in the new one. */
function packetTag(key: Buffer): number {
  const [first = 0] = key;
  if ((first & 0x80) === 0) return 0;
  return (first & 0x40) === 0 ? (first >> 2) & 0x0f : first & 0x3f;
}
