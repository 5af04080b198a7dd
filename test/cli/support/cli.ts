import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(__dirname, '..', '..', '..', 'lib', 'src', 'cli', 'main.js');
/** What would lead a command to other servers or settings. */
const UNWANTED = /^(TF_|TERRAFORM_|VAULT|NO_COLOR$|FORCE_COLOR$)/;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command as it was built, in an environment with nothing but `env` that means something to it. */
export function startVaultAdmin(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  return spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: [stdin, 'pipe', 'pipe'],
  });
}

/** Runs the command, as {@link startVaultAdmin} starts it, to its end. */
export async function vaultAdmin(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): Promise<Ended> {
  const child = startVaultAdmin(args, env, cwd);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
