import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/** Load commands, and the positions of their numbers. */
const SEGMENT_64 = 0x19;
const CODE_SIGNATURE = 0x1d;
const FIRST_COMMAND = 32;

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** The version of the format that has the fields about the executable segment. */
const VERSION = 0x20400;
const AD_HOC = 0x2;
const LINKER_SIGNED = 0x20000;
const MAIN_BINARY = 1;
const SHA256 = { id: 2, size: 32 };
const PAGE = { bits: 12, size: 4096 };
/** Segments end at multiples of this size, on both architectures. */
const SEGMENT_ALIGNMENT = 0x4000;
const SUPER_BLOB_LENGTH = 20;
const DIRECTORY_LENGTH = 88;

/**
 * Returns an executable for macOS with an ad-hoc signature in the place of its own, as linkers
 * write it: a hash of each page, and no certificate.
 *
 * @param executable a Mach-O file for one 64-bit architecture. It ends with its signature.
 * @throws Error if it is another file.
 */
export function signAdHoc(executable, identifier) {
  if (executable.readUInt32LE(0) !== 0xfeedfacf)
    throw new Error('the file is not a 64-bit Mach-O executable');
  const { signature, text, linkedit } = commandsOf(executable);
  const codeLength = executable.readUInt32LE(signature + 8);
  const name = Buffer.from(`${identifier}\0`);
  const pages = Math.ceil(codeLength / PAGE.size);
  const length = SUPER_BLOB_LENGTH + DIRECTORY_LENGTH + name.length + pages * SHA256.size;

  const signed = Buffer.alloc(codeLength + length);
  executable.copy(signed, 0, 0, codeLength);
  // This must be written before the first page is hashed.
  signed.writeUInt32LE(length, signature + 12);
  const linkeditLength = BigInt(codeLength + length) - signed.readBigUInt64LE(linkedit + 40);
  const alignment = BigInt(SEGMENT_ALIGNMENT);
  signed.writeBigUInt64LE(((linkeditLength + alignment - 1n) / alignment) * alignment, linkedit + 32);
  signed.writeBigUInt64LE(linkeditLength, linkedit + 48);

  const blob = signed.subarray(codeLength);
  writeNumbers(blob, 0, [SUPER_BLOB, length, 1, 0, SUPER_BLOB_LENGTH]);
  const directory = blob.subarray(SUPER_BLOB_LENGTH);
  writeNumbers(directory, 0, [
    CODE_DIRECTORY,
    directory.length,
    VERSION,
    AD_HOC | LINKER_SIGNED,
    DIRECTORY_LENGTH + name.length,
    DIRECTORY_LENGTH,
    0,
    pages,
    codeLength,
  ]);
  directory.set([SHA256.size, SHA256.id, 0, PAGE.bits], 36);
  directory.writeBigUInt64BE(signed.readBigUInt64LE(text + 40), 64);
  directory.writeBigUInt64BE(signed.readBigUInt64LE(text + 48), 72);
  directory.writeBigUInt64BE(BigInt(MAIN_BINARY), 80);
  name.copy(directory, DIRECTORY_LENGTH);
  for (let page = 0; page < pages; page += 1) {
    const start = page * PAGE.size;
    const content = signed.subarray(start, Math.min(start + PAGE.size, codeLength));
    const hash = createHash('sha256').update(content).digest();
    hash.copy(directory, DIRECTORY_LENGTH + name.length + page * SHA256.size);
  }
  return signed;
}

/** Returns the positions of the load commands that a signature changes. */
function commandsOf(executable) {
  const found = {};
  let at = FIRST_COMMAND;
  for (let left = executable.readUInt32LE(16); left > 0; left -= 1) {
    const command = executable.readUInt32LE(at);
    const name = executable.toString('latin1', at + 8, at + 24).replace(/\0.*$/s, '');
    if (command === CODE_SIGNATURE) found.signature = at;
    else if (command === SEGMENT_64 && name === '__TEXT') found.text = at;
    else if (command === SEGMENT_64 && name === '__LINKEDIT') found.linkedit = at;
    at += executable.readUInt32LE(at + 4);
  }
  if (found.signature === undefined || found.text === undefined || found.linkedit === undefined)
    throw new Error('the executable has no signature that could be replaced');
  return found;
}

function writeNumbers(target, at, numbers) {
  numbers.forEach((number, index) => target.writeUInt32BE(number, at + 4 * index));
}
