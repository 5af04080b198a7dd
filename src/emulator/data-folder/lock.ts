import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../core/primitives/json';
import { inUse } from './messages';

/**
 * The process that has locked a folder. Process ids are reused, so the start time is needed to
 * identify it.
 */
interface Holder {
  readonly pid: number;
  /** The start time in the system's unit; empty if the system does not provide it. */
  readonly started: string;
  /** The path of the locked folder, so that the lock in a copy of the folder is not valid. */
  readonly folder: string;
}

const LOCK_FILE = 'lock';
const ATTEMPTS = 3;

/**
 * Locks a folder against other emulators until it is unlocked, or this process ends.
 *
 * @returns a function that unlocks the folder.
 * @throws Error if another emulator has locked it.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, LOCK_FILE);
  const own = JSON.stringify(holder(process.pid, folder));
  for (let attempt = 1; ; attempt += 1) {
    try {
      writeFileSync(file, own, { flag: 'wx', mode: 0o600 });
      return () => {
        if (readText(file) === own) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === ATTEMPTS) throw error;
      const pid = livingHolder(file, folder);
      if (pid !== undefined) throw new Error(inUse(folder, pid), { cause: error });
      rmSync(file, { force: true });
    }
  }
}

function holder(pid: number, folder: string): Holder {
  return { pid, started: startOf(pid), folder: realpathSync(folder) };
}

/** Returns the id of the process that has locked the folder; `undefined` if it has ended. */
function livingHolder(file: string, folder: string): number | undefined {
  const text = readText(file);
  const noted = parsed(text);
  const pid = isJsonObject(noted) && typeof noted.pid === 'number' ? noted.pid : undefined;
  if (pid === undefined || !isRunning(pid)) return undefined;
  return JSON.stringify(holder(pid, folder)) === text ? pid : undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns the start time of a process in clock ticks since the system started: field 22, counted
 * after the program's name, which may contain spaces.
 */
function startOf(pid: number): string {
  const status = readText(`/proc/${pid}/stat`);
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
