/** Runs executables for Windows with Wine. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExecutable, executableIfAvailable, warnNotTried, type Program } from './executable';
import { findProgram } from './programs';

export interface Wine {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of the program for Windows. */
  readonly folder: string;
}

/**
 * Builds a program for Windows, and prepares Wine to start it. Warns and returns `undefined` if
 * Wine is missing or the program cannot be built.
 */
export function prepareWine(folder: string, program: Program): Wine | undefined {
  const command = findProgram('wine');
  if (command === undefined || executableIfAvailable() === undefined) {
    warnNotTried(
      `the executable ${program} for Windows`,
      'It needs wine, and package registries that have the runtime.',
    );
    return undefined;
  }
  buildExecutable([folder], ['windows_amd64'], [program]);
  const wine = {
    command,
    env: { WINEPREFIX: join(folder, 'wine'), WINEDEBUG: '-all' },
    folder: join(folder, program === 'provider' ? '' : program, 'windows_amd64'),
  };
  writeFileSync(join(wine.folder, 'bcryptprimitives.dll'), RANDOM_NUMBERS);
  // The first start of Wine writes its files, which takes longer than Terraform waits for a
  // provider.
  const { status, stderr } = spawnSync(command, ['cmd', '/c', 'exit 0'], {
    env: { ...process.env, ...wine.env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`wine does not start: ${stderr}`);
  return wine;
}

/** Ends the processes of Wine, and removes its files. */
export function disposeWine(wine: Wine | undefined, folder: string): void {
  if (wine) spawnSync('wineserver', ['--kill'], { env: { ...process.env, ...wine.env } });
  rmSync(folder, { recursive: true, force: true });
}

/**
 * The library of Windows 10 that Wine 8 lacks. Its only function has the same parameters as a
 * function of an older library.
 */
const RANDOM_NUMBERS = forwardingLibrary('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036');

/** Returns a library for Windows without code, which forwards its function to another library. */
function forwardingLibrary(library: string, name: string, target: string): Buffer {
  const [section, address, size] = [0x200, 0x1000, 0x200];
  const headers = Buffer.alloc(section);
  const number = (offset: number, value: number) => headers.writeUInt32LE(value, offset);
  headers.write('MZ');
  number(0x3c, 0x40);
  headers.write('PE\0\0', 0x40, 'latin1');
  // The machine, the number of sections, the size of the next header, and the flag of a library.
  for (const [offset, value] of [
    [0x44, 0x8664],
    [0x46, 1],
    [0x54, 0xf0],
    [0x56, 0x2022],
  ] as const)
    headers.writeUInt16LE(value, offset);
  for (const [offset, value] of [
    [0x58, 0x20b], // PE32+
    [0x60, size],
    [0x70, 0x80000000],
    [0x74, 1],
    [0x78, address], // alignment of sections, in memory and in the file
    [0x7c, section],
    [0x80, 6], // version of the system, and of the subsystem
    [0x88, 6],
    [0x90, 2 * address],
    [0x94, section],
    [0x9c, 0x0100_0003],
    [0xc4, 16],
    [0xc8, address], // the table of exports
    [0xcc, size],
    [0x150, size],
    [0x154, address],
    [0x158, size],
    [0x15c, section],
    [0x16c, 0x4000_0040],
  ] as const)
    number(offset, value);
  headers.write('.rdata', 0x148);

  const exported = Buffer.alloc(size);
  const texts = { library: 0x50, name: 0x90, target: 0xb0 };
  exported.write(library, texts.library);
  exported.write(name, texts.name);
  exported.write(target, texts.target);
  for (const [offset, value] of [
    [0x0c, address + texts.library],
    [0x10, 1],
    [0x14, 1],
    [0x18, 1],
    [0x1c, address + 0x28],
    [0x20, address + 0x2c],
    [0x24, address + 0x30],
    [0x28, address + texts.target],
    [0x2c, address + texts.name],
  ] as const)
    exported.writeUInt32LE(value, offset);
  return Buffer.concat([headers, exported]);
}
