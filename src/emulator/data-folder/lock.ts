import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../core/primitives/json';
import { inUse } from './messages';

/** Who holds a folder. Process ids are used again, so that the start of the process belongs to it. */
interface Holder {
  readonly pid: number;
  /** As the system counts it; empty where it does not say. */
  readonly started: string;
  /** A copy of a folder is nobody's. */
  readonly folder: string;
}

const LOCK_FILE = 'lock';
const ATTEMPTS = 3;

/**
 * Keeps other emulators off a folder until this one lets go of it, or ends in whatever way.
 *
 * @returns what lets go of the folder.
 * @throws Error if another emulator has it.
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

/** The process that holds a folder; `undefined` if it has ended. */
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

/** When a process started, in ticks since the machine did: the 22nd field, counted from behind the program's name. */
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
