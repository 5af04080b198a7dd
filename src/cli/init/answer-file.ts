import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { readPlainFile, reasonOf } from '../../files';
import { UserError } from '../errors';

/** The maximum size in bytes. */
const LONGEST = 16 * 1024 * 1024;
const OWNER_ALONE = 0o600;

/** The answer of a server that was initialized, as it is stored. */
export interface StoredAnswer {
  readonly address: string;
  /** The shares in base64, encrypted if there are owners. */
  readonly shares: readonly string[];
  /** The files of the PGP keys, one for each share; empty for shares that are not encrypted. */
  readonly owners: readonly string[];
  readonly threshold: number;
  /** Whether a key store unseals the cluster, so that the shares are for its recovery. */
  readonly recovery: boolean;
  /** Absent once the token is revoked. */
  root_token?: string;
}

/**
 * The file for the answer of `sys/init`. It is created before the request, because the server gives
 * the answer only once.
 */
export class AnswerFile {
  constructor(readonly path: string) {}

  /**
   * Creates the empty file, which only its owner may read.
   *
   * @throws UserError if it exists, or cannot be created.
   */
  create(): void {
    try {
      closeSync(openSync(this.path, 'wx', OWNER_ALONE));
      flush(dirname(this.path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT')
        throw new UserError({
          summary: `${this.path} cannot be made: the folder ${dirname(this.path)} does not exist`,
          details: 'Nothing was sent.',
          cures: 'make the folder, or choose another one with --folder',
        });
      if (code !== 'EEXIST') throw new UserError(`${this.path} cannot be made: ${reasonOf(error as Error)}`);
      throw new UserError({
        summary: `${this.path} already exists, and the cluster is not initialized`,
        details: `Nothing was sent. ${
          statSync(this.path).size === 0
            ? 'The file is empty: an earlier run ended before it had an answer.'
            : 'The file may have the shares of another cluster, or of earlier data of this one.'
        }`,
        cures: 'move the file away, or choose another folder with --folder',
      });
    }
  }

  /** Removes the empty file: the cluster was not initialized. */
  remove(): void {
    unlinkSync(this.path);
  }

  /**
   * Replaces the content: a process that is killed leaves either the earlier content or the new
   * one.
   */
  write(answer: StoredAnswer): void {
    writeWhole(this.path, `${JSON.stringify(answer, null, 2)}\n`);
  }

  /**
   * Returns the stored answer; `undefined` if there is no file. If an earlier run was killed before
   * it moved the written answer to its place, the answer is moved now.
   *
   * @throws UserError for a file without an answer: the run that created it did not receive one.
   */
  read(): StoredAnswer | undefined {
    if (!existsSync(this.path)) return undefined;
    const draft = draftOf(this.path);
    const isComplete = statSync(this.path).size > 0 || answerIn(draft) === undefined;
    if (!isComplete) renameSync(draft, this.path);
    if (statSync(this.path).size === 0) {
      throw new UserError({
        summary: `${this.path} is empty, and the cluster is initialized`,
        details:
          'The run that made the file did not receive the answer of the server: nobody has its shares.',
        cures: 'if the cluster is new, give it empty storage, remove the file, and run the command again',
      });
    }
    const answer = answerIn(this.path);
    if (!answer)
      throw new UserError(`${this.path} is not the answer of a server that this command initialized`);
    return answer;
  }
}

/** Returns the answer in a file; `undefined` if it has none, or only a part of one. */
function answerIn(path: string): StoredAnswer | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const answer = JSON.parse(readPlainFile(path, LONGEST).toString()) as StoredAnswer;
    return Array.isArray(answer.shares) && Array.isArray(answer.owners) ? answer : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Writes a share for its owner, in binary, unless the file exists.
 *
 * @returns whether it was written.
 */
export function writeShare(path: string, share: string): boolean {
  if (existsSync(path)) return false;
  writeWhole(path, Buffer.from(share, 'base64'));
  return true;
}

function writeWhole(path: string, content: string | Buffer): void {
  const draft = draftOf(path);
  writeFileSync(draft, content, { mode: OWNER_ALONE, flush: true });
  renameSync(draft, path);
  flush(dirname(path));
}

/** Returns the path under which a file is written before it gets its name. */
function draftOf(path: string): string {
  return `${path}.part`;
}

/** Flushes a folder, so that a new name in it survives a crash. Windows cannot flush folders. */
function flush(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
