import { visible } from '../../text';

export function notOurs(file: string): string {
  return `${visible(file)} does not hold data of the emulator: remove it, or use another folder`;
}

export function damaged(file: string, line: number): string {
  return (
    `${visible(file)} is damaged in line ${line}, and lines after it are whole: ` +
    'restore the file from a backup, or use another folder'
  );
}

export function tornTail(file: string, bytes: number): string {
  return (
    `${visible(file)} ended with ${bytes} bytes of a write that was interrupted; they were removed. ` +
    'The write was not acknowledged.'
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
    `${visible(file)} cannot be written: ${visible(cause)}; the emulator does not take writes any more: ` +
    'make room or correct the permissions, and start it again'
  );
}
