import { readFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Json, parseJson, stringifyJson } from '../core/primitives/json';
import { damaged, notOurs } from './messages';

/** What became of a key: its value, or nothing if it was deleted. */
export type Change = readonly [store: string, key: string, value?: Json];

/** What a journal says, read at the start. */
interface Contents {
  readonly changes: readonly Change[];
  /** The length of what is whole. The rest belongs to a write that was interrupted. */
  readonly wholeBytes: number;
  readonly tornBytes: number;
}

/** The first line. Later formats have another one. */
const HEADER = ['vault-emulator-journal', 1] as const;
/** Eight digits and a space. */
const SUM_LENGTH = 9;
/** Changes per line where a journal is written anew, which keeps lines short. */
const LINE_CHANGES = 1000;
const NEW_LINE = 0x0a;

/**
 * A file of changes. A line holds the changes of one moment, which are kept or lost together, and its own checksum.
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

  /** Opens a journal to go on after what is whole in it; a new one gets its first line. */
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

  /** Returns when the changes are on disk. */
  async append(changes: readonly Change[]): Promise<void> {
    await this.#write(lineOf(changes));
  }

  /** Writes a journal that says the same in fewer changes, and puts it in the place of the present one. */
  async replace(changes: readonly Change[]): Promise<void> {
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
 * Reads what a journal says; a file that does not exist says nothing.
 *
 * @throws Error if the file is not a journal, or is damaged elsewhere than at its end.
 */
export function readJournal(file: string): Contents {
  const content = readIfPresent(file);
  const changes: Change[] = [];
  let line = 0;
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf(NEW_LINE, start);
    const value = end < 0 ? undefined : valueOf(content.subarray(start, end));
    if (value === undefined) {
      // Nothing follows a line before it is on disk, so that only the last one can be torn.
      if (hasWholeLine(content, end)) throw new Error(damaged(file, line + 1));
      // An interrupted first line is shorter than it should be; everything else was somebody else's.
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

function areChanges(value: unknown): value is readonly Change[] {
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

/** What a line says; `undefined` if it is not whole. */
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

/** A new name is on disk with its folder. Where folders cannot be synchronized, the system sees to it. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
