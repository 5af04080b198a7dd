import { readFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Json, parseJson, stringifyJson } from '../core/primitives/json';
import { damaged, notOurs } from './messages';

/** A change of a key: its new value, or no value if it was deleted. */
export type StoredChange = readonly [store: string, key: string, value?: Json];

/** The content of a journal that was read. */
interface Contents {
  readonly changes: readonly StoredChange[];
  /** The length of the complete lines. The rest is from a write that was interrupted. */
  readonly wholeBytes: number;
  readonly tornBytes: number;
}

/** The first line. Later formats will have another one. */
const HEADER = ['vault-emulator-journal', 1] as const;
/** The length of a checksum: eight digits and a space. */
const SUM_LENGTH = 9;
/** The number of changes in a line of a rewritten journal, so that its lines stay short. */
const LINE_CHANGES = 1000;
const NEW_LINE = 0x0a;

/**
 * A file of changes. Each line has the changes of one commit, which are read back together or not
 * at all, and a checksum.
 */
export class Journal {
  readonly #file: string;
  #handle: FileHandle;
  #bytes: number;

  private constructor(file: string, handle: FileHandle, bytes: number) {
    this.#file = file;
    this.#handle = handle;
    this.#bytes = bytes;
  }

  /** Opens a journal to append after its complete lines; writes the first line of a new journal. */
  static async open(file: string, wholeBytes: number): Promise<Journal> {
    const handle = await open(file, wholeBytes === 0 ? 'w' : 'r+', 0o600);
    const journal = new Journal(file, handle, wholeBytes);
    await handle.truncate(wholeBytes);
    if (wholeBytes === 0) {
      await journal.#write(lineOf(HEADER));
      await syncFolder(file);
    }
    return journal;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when the changes are on disk. */
  async append(changes: readonly StoredChange[]): Promise<void> {
    await this.#write(lineOf(changes));
  }

  /** Replaces the journal by one with the same content in fewer changes. */
  async replace(changes: readonly StoredChange[]): Promise<void> {
    const temporary = `${this.#file}.new`;
    const handle = await open(temporary, 'w', 0o600);
    const journal = new Journal(temporary, handle, 0);
    try {
      await journal.#put(lineOf(HEADER));
      for (let start = 0; start < changes.length; start += LINE_CHANGES) {
        await journal.#put(lineOf(changes.slice(start, start + LINE_CHANGES)));
      }
      await handle.datasync();
      await rename(temporary, this.#file);
    } catch (error) {
      await handle.close();
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(this.#file);
    await this.#handle.close();
    this.#handle = handle;
    this.#bytes = journal.#bytes;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #write(line: Buffer): Promise<void> {
    await this.#put(line);
    await this.#handle.datasync();
  }

  async #put(line: Buffer): Promise<void> {
    let written = 0;
    while (written < line.length) {
      const { bytesWritten } = await this.#handle.write(
        line,
        written,
        line.length - written,
        this.#bytes + written,
      );
      written += bytesWritten;
    }
    this.#bytes += line.length;
  }
}

/**
 * Reads a journal; a file that does not exist has no content.
 *
 * @throws Error if the file is not a journal, or is damaged elsewhere than at its end.
 */
export function readJournal(file: string): Contents {
  const content = readIfPresent(file);
  const changes: StoredChange[] = [];
  let line = 0;
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf(NEW_LINE, start);
    const value = end < 0 ? undefined : valueOf(content.subarray(start, end));
    if (value === undefined) {
      // A line is on disk before the next one is written, so that only the last line can be
      // incomplete.
      if (hasWholeLine(content, end)) throw new Error(damaged(file, line + 1));
      // An interrupted first line is a part of the header; any other content is not a journal.
      if (line === 0 && !lineOf(HEADER).subarray(0, content.length).equals(content)) {
        throw new Error(notOurs(file));
      }
      break;
    }
    if (line === 0 && stringifyJson(value) !== stringifyJson(HEADER)) throw new Error(notOurs(file));
    if (line > 0) {
      if (!areChanges(value)) throw new Error(notOurs(file));
      for (const change of value) changes.push(change);
    }
    line += 1;
    start = end + 1;
  }
  return { changes, wholeBytes: start, tornBytes: content.length - start };
}

function areChanges(value: unknown): value is readonly StoredChange[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) => Array.isArray(each) && typeof each[0] === 'string' && typeof each[1] === 'string',
    )
  );
}

function readIfPresent(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function lineOf(value: unknown): Buffer {
  const text = Buffer.from(`${' '.repeat(SUM_LENGTH)}${stringifyJson(value)}\n`);
  text.write(sumOf(text.subarray(SUM_LENGTH, -1)));
  return text;
}

/** Returns the value of a line; `undefined` if the line is incomplete or damaged. */
function valueOf(line: Buffer): Json | undefined {
  const content = line.subarray(SUM_LENGTH);
  if (line.toString('latin1', 0, SUM_LENGTH) !== `${sumOf(content)} `) return undefined;
  return parseJson(content.toString());
}

function sumOf(content: Buffer): string {
  return crc32(content).toString(16).padStart(8, '0');
}

function hasWholeLine(content: Buffer, after: number): boolean {
  for (let start = after + 1; start > 0 && start < content.length;) {
    const end = content.indexOf(NEW_LINE, start);
    if (end < 0) return false;
    if (valueOf(content.subarray(start, end)) !== undefined) return true;
    start = end + 1;
  }
  return false;
}

/**
 * Writes the folder's entry for a new file to disk. Systems that cannot sync folders do that
 * themselves.
 */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
