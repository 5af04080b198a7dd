import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkJson } from './json-schemas';

const MAIN = join(__dirname, '..', '..', '..', 'lib', 'src', 'cli', 'main.js');
/** The variables that would give a command other servers or settings. */
const UNWANTED = /^(TF_|TERRAFORM_|VAULT|NO_COLOR$|FORCE_COLOR$)/;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/**
 * Starts the built command. Of the variables that have a meaning for it, it gets only those in
 * `env`.
 */
export function startVaultAdmin(
  args: readonly string[],
  env: Environment,
  cwd = process.cwd(),
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: environment(env),
    stdio: [stdin, 'pipe', 'pipe'],
  });
}

function environment(env: Environment): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...env };
}

/**
 * Runs the command to its end in a process of its own, like {@link startVaultAdmin}. JSON has to
 * match its schema.
 */
export async function vaultAdminAlone(
  args: readonly string[],
  env: Environment,
  cwd = process.cwd(),
): Promise<Ended> {
  const run = await ended(startVaultAdmin(args, env, cwd));
  checkJson(args, run.stdout);
  return run;
}

/** Waits until a command has ended, and returns its output. */
export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Waits until a command has printed a text that matches, and returns the match. */
export async function printed(command: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  for await (const chunk of command.stdout!) {
    output += String(chunk);
    const found = pattern.exec(output)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`the command ended with: ${output}`);
}

let server: ChildProcess | undefined;
afterAll(() => void server?.kill());
let commands = 0;

/**
 * Runs the built command to its end, and checks JSON against its schema. All commands of a test
 * file run in one process, see `command-server.js`. Tests about the process itself use {@link
 * vaultAdminAlone}.
 */
export async function vaultAdmin(
  args: readonly string[],
  env: Environment,
  cwd = process.cwd(),
): Promise<Ended> {
  server ??= fork(join(__dirname, 'command-server.js'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [running, id] = [server, commands++];
  return new Promise((resolve, reject) => {
    const answer = (message: { readonly id: number; readonly ended: Ended }) => {
      if (message.id !== id) return;
      running.off('message', answer).off('exit', fail);
      try {
        checkJson(args, message.ended.stdout);
        resolve(message.ended);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const fail = (code: number | null) => reject(new Error(`the process of the commands ended with ${code}`));
    running.on('message', answer).once('exit', fail);
    running.send({ id, command: { args, env: environment(env), cwd } });
  });
}
