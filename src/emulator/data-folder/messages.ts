import { visible } from '../../text';

export function notOurs(file: string): string {
  return `${visible(file)} does not hold data of the emulator: remove it, or use another folder`;
}

export function damaged(file: string, line: number): string {
  return (
    `${visible(file)} is damaged at line ${line}, but later lines are intact: ` +
    'restore the file from a backup, or use another folder'
  );
}

export function tornTail(file: string, bytes: number): string {
  return (
    `${visible(file)} ended with an incomplete write of ${bytes} bytes, which was removed. ` +
    'The write had not been acknowledged.'
  );
}

export function notMade(folder: string, cause: string): string {
  return (
    `the folder ${visible(folder)} cannot be created: ${visible(cause)}: ` +
    'remove what is in its place, or use another folder'
  );
}

export function inUse(folder: string, pid: number): string {
  return (
    `the folder ${visible(folder)} is in use by the emulator with process id ${pid}: ` +
    'stop that emulator, or use another folder'
  );
}

export function notStored(file: string, cause: string): string {
  return (
    `${visible(file)} cannot be written: ${visible(cause)}; the emulator no longer accepts writes: ` +
    'free up space or correct the permissions, then restart it'
  );
}
