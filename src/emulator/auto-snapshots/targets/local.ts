import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerFlavour } from '../../core/backend';
import { readPlainFile } from '../../../files';
import { LONGEST_SNAPSHOT } from '../archive';
import type { SnapshotConfig } from '../store';
import { type SnapshotTarget, isSnapshotName } from './target';

/**
 * A directory of this machine. It is not created if it is missing: then attempts fail, and the
 * status shows the error.
 */
export class LocalTarget implements SnapshotTarget {
  readonly #directory: string;

  readonly #config: SnapshotConfig;

  readonly #server: ServerFlavour;

  constructor(config: SnapshotConfig, server: ServerFlavour) {
    this.#server = server;
    this.#config = config;
    this.#directory = config.path_prefix;
  }

  url(name: string): string {
    return pathToFileURL(join(this.#directory, name)).href;
  }

  async write(name: string, content: Buffer): Promise<void> {
    await this.#requireSpace(content.length);
    const temporary = join(this.#directory, `.${name}.tmp`);
    try {
      // The file contains a cluster's data, so only its owner may read it.
      await inFile(temporary, 'wx', async (file) => {
        await file.writeFile(content);
        await file.sync();
      });
      await rename(temporary, join(this.#directory, name));
      await inFile(this.#directory, 'r', (directory) => directory.sync());
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw reason(error);
    }
  }

  async read(name: string): Promise<Buffer> {
    try {
      return readPlainFile(join(this.#directory, name), LONGEST_SNAPSHOT);
    } catch (error) {
      throw reason(error);
    }
  }

  async list(): Promise<readonly string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch((error: unknown) => {
      throw reason(error);
    });
    return entries
      .filter((entry) => entry.isFile() && isSnapshotName(this.#config, entry.name))
      .map(({ name }) => name);
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.#directory, name), { force: true }).catch((error: unknown) => {
      throw reason(error);
    });
  }

  async #requireSpace(needed: number): Promise<void> {
    const names = await this.list();
    const sizes = await Promise.all(names.map((name) => sizeOf(join(this.#directory, name))));
    const used = sizes.reduce((sum, size) => sum + size, 0);
    const allowed = Number(this.#config.local_max_space);
    if (used + needed > allowed) {
      throw new Error(
        this.#server.assumed('snapshotSpace').text({ count: names.length, used, allowed, needed }),
      );
    }
  }
}

async function inFile(
  path: string,
  flags: string,
  action: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await action(file);
  } finally {
    await file.close();
  }
}

/** Another configuration with the same prefix may have deleted the file in the meantime. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw reason(error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
};

/**
 * Converts a failure of the file system to Go's format: `open /snapshots: no such file or
 * directory`.
 */
function reason(error: unknown): Error {
  const { code = '', syscall = '', path = '', message } = error as NodeJS.ErrnoException;
  const text = REASONS[code];
  const call = syscall === 'scandir' ? 'open' : syscall;
  return new Error(text === undefined ? message : `${call} ${path}: ${text}`);
}
