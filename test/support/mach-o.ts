/** Verifies the signatures of executables for macOS. */
import { createHash } from 'node:crypto';

/** Expects a signature that macOS accepts, and that a change of one byte invalidates. */
export function expectValidSignature(file: Buffer): void {
  expect(signatureOf(file)).toEqual({
    isAdHoc: true,
    endsWithFile: true,
    pages: expect.any(Number),
    wrong: 0,
  });
  for (const place of [file.length >> 1, 20]) {
    file[place]! ^= 1;
    expect(signatureOf(file).wrong).toBe(1);
    file[place]! ^= 1;
  }
}

/**
 * Returns the facts of the signature of a Mach-O file, with the number of pages whose hash differs
 * from the code directory.
 */
function signatureOf(file: Buffer) {
  let at = 32;
  while (file.readUInt32LE(at) !== 0x1d) at += file.readUInt32LE(at + 4);
  const start = file.readUInt32LE(at + 8);
  const length = file.readUInt32LE(at + 12);
  const directory = file.subarray(start + file.readUInt32BE(start + 16));
  expect([file.readUInt32BE(start), directory.readUInt32BE(0)]).toEqual([0xfade0cc0, 0xfade0c02]);
  const [flags, hashes, pages, limit] = [12, 16, 28, 32].map((place) => directory.readUInt32BE(place));
  expect(limit).toBe(start);
  const pageSize = 2 ** directory[39]!;
  expect(pages).toBe(Math.ceil(start / pageSize));
  let wrong = 0;
  for (let page = 0; page < pages!; page += 1) {
    const content = file.subarray(page * pageSize, Math.min((page + 1) * pageSize, start));
    const hash = createHash('sha256').update(content).digest();
    if (!hash.equals(directory.subarray(hashes! + page * 32, hashes! + (page + 1) * 32))) wrong += 1;
  }
  return { isAdHoc: flags === 0x20002, endsWithFile: start + length === file.length, pages, wrong };
}
