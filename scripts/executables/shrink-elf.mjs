import { Buffer } from 'node:buffer';

/** The positions of the tables in a 64-bit ELF file, and the fields of their entries. */
const FILE = { programTable: 32, sectionTable: 40, programCount: 56, sectionCount: 60 };
const PROGRAM_HEADER = {
  size: 56,
  type: 0,
  offset: 8,
  virtual: 16,
  physical: 24,
  inFile: 32,
  inMemory: 40,
  alignment: 48,
};
const LOAD = 1;
const NOTE = 4;

/**
 * Returns an executable for Linux without the longest row of zeros of its first segment. The
 * segment becomes two, at the same places in memory as before. The entry of the notes has the place
 * in the table for it: nothing needs them. The table of sections is removed.
 *
 * @throws Error if it has no table with such entries.
 */
export function withoutZeros(executable) {
  const headers = headersOf(executable);
  const first = headers.find((header) => header.readUInt32LE(PROGRAM_HEADER.type) === LOAD);
  const note = headers.find((header) => header.readUInt32LE(PROGRAM_HEADER.type) === NOTE);
  if (!first || !note) throw new Error('the executable has no segment or no notes');
  const { start, end } = zerosIn(executable, first);
  const moved = Buffer.concat([executable.subarray(0, start), executable.subarray(end)]);

  const second = Buffer.from(first);
  shift(second, end - number(first, 'offset'), end - start);
  set(first, 'inFile', start - number(first, 'offset'));
  set(first, 'inMemory', start - number(first, 'offset'));
  const written = headers.flatMap((header) => {
    if (header === note) return [];
    if (header === first) return [first, second];
    if (number(header, 'offset') >= end) set(header, 'offset', number(header, 'offset') - (end - start));
    return [header];
  });
  Buffer.concat(written).copy(moved, Number(executable.readBigUInt64LE(FILE.programTable)));
  moved.fill(0, FILE.sectionTable, FILE.sectionTable + 8);
  moved.fill(0, FILE.sectionCount, FILE.sectionCount + 4);
  return moved;
}

function headersOf(executable) {
  const table = Number(executable.readBigUInt64LE(FILE.programTable));
  return Array.from({ length: executable.readUInt16LE(FILE.programCount) }, (_, index) => {
    const at = table + index * PROGRAM_HEADER.size;
    return Buffer.from(executable.subarray(at, at + PROGRAM_HEADER.size));
  });
}

/** Returns the longest row of pages of zeros in a segment. */
function zerosIn(executable, header) {
  const page = number(header, 'alignment');
  const zeros = Buffer.alloc(page);
  const last = number(header, 'offset') + number(header, 'inFile');
  let longest = { start: 0, end: 0 };
  let start;
  for (let at = page; at + page <= last; at += page) {
    if (executable.compare(zeros, 0, page, at, at + page) !== 0) start = undefined;
    else {
      start ??= at;
      if (at + page - start > longest.end - longest.start) longest = { start, end: at + page };
    }
  }
  return longest;
}

/** Makes a segment begin later, in a file without some bytes before it. */
function shift(header, by, lacking) {
  set(header, 'offset', number(header, 'offset') + by - lacking);
  for (const field of ['virtual', 'physical']) set(header, field, number(header, field) + by);
  for (const field of ['inFile', 'inMemory']) set(header, field, number(header, field) - by);
}

function number(header, field) {
  return Number(header.readBigUInt64LE(PROGRAM_HEADER[field]));
}

function set(header, field, value) {
  header.writeBigUInt64LE(BigInt(value), PROGRAM_HEADER[field]);
}
