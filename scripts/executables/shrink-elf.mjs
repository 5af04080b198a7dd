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
const TABLE = 6;

/**
 * Returns an executable for Linux without its two long runs of zeros. In its first segment, they
 * are the removed data of languages; in its last segment, memory of the runtime that is empty at
 * first. Each of the segments becomes two, at the same addresses in memory. The second parts
 * replace the entries of the notes and of the table itself, which no loader needs for a program at
 * fixed addresses. The table of sections is removed.
 *
 * @throws Error if it has no table with such entries.
 */
export function withoutZeros(executable) {
  const loads = headersOf(executable).filter((header) => typeOf(header) === LOAD);
  if (loads.length < 2) throw new Error('the executable has less than two segments');
  const withoutLast = split(executable, loads.at(-1), { entry: TABLE, isRead: true });
  const shorter = split(withoutLast, loads[0], { entry: NOTE, isRead: false });
  shorter.fill(0, FILE.sectionTable, FILE.sectionTable + 8);
  shorter.fill(0, FILE.sectionCount, FILE.sectionCount + 4);
  return shorter;
}

/**
 * Removes the longest run of zeros from a segment.
 *
 * @param entry the type of the entry in the table that the second part replaces.
 * @param isRead whether the program reads the zeros. If so, its memory keeps them, although the
 *   file lacks them.
 */
function split(executable, segment, { entry, isRead }) {
  const headers = headersOf(executable);
  const replaced = headers.find((header) => typeOf(header) === entry);
  if (!replaced) throw new Error(`the executable has no entry of type ${entry}`);
  const { start, end } = zerosIn(executable, segment);
  const moved = Buffer.concat([executable.subarray(0, start), executable.subarray(end)]);

  const first = Buffer.from(segment);
  const second = Buffer.from(segment);
  shift(second, end - number(segment, 'offset'), end - start);
  set(first, 'inFile', start - number(segment, 'offset'));
  set(first, 'inMemory', (isRead ? end : start) - number(segment, 'offset'));
  const written = headers.flatMap((header) => {
    if (header === replaced) return [];
    if (header.equals(segment)) return [first, second];
    if (number(header, 'offset') >= end) set(header, 'offset', number(header, 'offset') - (end - start));
    return [header];
  });
  Buffer.concat(written).copy(moved, Number(executable.readBigUInt64LE(FILE.programTable)));
  return moved;
}

function typeOf(header) {
  return header.readUInt32LE(PROGRAM_HEADER.type);
}

function headersOf(executable) {
  const table = Number(executable.readBigUInt64LE(FILE.programTable));
  return Array.from({ length: executable.readUInt16LE(FILE.programCount) }, (_, index) => {
    const at = table + index * PROGRAM_HEADER.size;
    return Buffer.from(executable.subarray(at, at + PROGRAM_HEADER.size));
  });
}

/** Returns the longest run of pages of zeros in a segment. */
function zerosIn(executable, header) {
  const page = number(header, 'alignment');
  const zeros = Buffer.alloc(page);
  const last = number(header, 'offset') + number(header, 'inFile');
  let longest = { start: last, end: last };
  let start;
  for (let at = Math.ceil((number(header, 'offset') + 1) / page) * page; at + page <= last; at += page) {
    if (executable.compare(zeros, 0, page, at, at + page) !== 0) start = undefined;
    else {
      start ??= at;
      if (at + page - start > longest.end - longest.start) longest = { start, end: at + page };
    }
  }
  return longest;
}

/** Makes a segment begin `by` bytes later, in a file that lacks `lacking` bytes before it. */
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
