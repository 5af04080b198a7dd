import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, isJsonEntry, parseJson, stringifyJson } from './core/primitives/json';
import { MemoryStorage } from './core/stores/storage';
import { REPLICATION_RECORD_KEY } from './replication/record';

/** Changes are written together when this much time has passed. */
const WRITE_DELAY_MS = 200;

/** A cluster's storage, kept in a file as well: read at the start, written soon after every change. */
export class PersistentStorage {
  readonly storage = new MemoryStorage((key) => this.#changed(key));
  readonly #file: string;
  #pending: NodeJS.Timeout | undefined;

  /** @throws Error if the folder cannot be written to, or the file is not an emulator's. */
  constructor(folder: string, cluster: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = join(folder, `${cluster}.json`);
    this.storage.load(readSnapshot(this.#file));
  }

  /** Writes what has not been written yet. */
  flush(): void {
    if (this.#pending === undefined) return;
    clearTimeout(this.#pending);
    this.#pending = undefined;
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      // It contains tokens: only its owner may read it.
      writeFileSync(temporary, stringifyJson(this.storage.entries()), { mode: 0o600 });
      renameSync(temporary, this.#file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  #changed(key: string): void {
    this.#pending ??= setTimeout(() => this.flush(), WRITE_DELAY_MS).unref();
    // Else clusters that are killed might not agree on who is whose secondary.
    if (key === REPLICATION_RECORD_KEY) this.flush();
  }
}

function readSnapshot(file: string): readonly (readonly [string, Json])[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const entries = parsed(text);
  // The parser's own message would quote the file, which holds tokens.
  if (!Array.isArray(entries) || !entries.every(isJsonEntry)) {
    throw new Error(`${file} does not hold data of the emulator: remove it, or use another folder`);
  }
  return entries;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
