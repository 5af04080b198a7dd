import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ROOT_TOKEN = 'bench-root';

/** Starts an emulator as users do, in a separate process. */
export async function startEmulatorProcess(
  ...args: readonly string[]
): Promise<{ emulator: ChildProcess; address: string }> {
  const commandLine = join(__dirname, '..', 'src', 'cli', 'main.js');
  const emulator = spawn(process.execPath, [
    commandLine,
    'emulator',
    '--json',
    '--root-token',
    ROOT_TOKEN,
    ...args,
  ]);
  const { clusters } = (await firstLine(emulator)) as { clusters: { default: { address: string } } };
  return { emulator, address: clusters.default.address };
}

/** Returns the JSON that a process prints when it is ready. */
export async function firstLine(child: ChildProcess): Promise<unknown> {
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return JSON.parse(line.toString());
}
