/** Runs commands in this process, through the entry of the command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../../../src/cli/program';
import { temporaryFolder } from '../../support/temporary-folder';

type Files = Readonly<Record<string, string>>;

const folder = temporaryFolder('fuzz-commands');

/** Returns the path of a file for a command. */
export function fileFor(name: string): string {
  return join(folder, name);
}

/**
 * Runs a command after writing the given files.
 *
 * @returns its output
 * @throws the error of the command if it is not a refusal, such as a type error or an exhausted
 *   stack
 */
export async function runCommand(
  args: readonly string[],
  files: Files,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(fileFor(name), text);
  const printed: string[] = [];
  const restores = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array) => {
      printed.push(chunk.toString());
      return true;
    };
    return () => (stream.write = write);
  });
  Object.assign(process.env, env);
  const listeners = new Set(process.rawListeners('SIGINT'));
  try {
    await program().parseAsync(args, { from: 'user' });
  } catch (error) {
    const isFault = error instanceof TypeError || error instanceof ReferenceError;
    if (isFault || /call stack|defect/.test(String(error))) throw error;
  } finally {
    restores.forEach((restore) => restore());
    for (const name of Object.keys(env)) delete process.env[name];
    process.exitCode = undefined;
  }
  expect(process.rawListeners('SIGINT').filter((each) => !listeners.has(each))).toEqual([]);
  return printed.join('');
}
