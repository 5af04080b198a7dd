import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseEnvironment } from '../test/languages/support/environment';
import { race, type Medians } from './measure';

const PROGRAM = join('bench', 'synth.py');
/**
 * Runs a command, and prints the computing time of the command and its child processes in
 * milliseconds.
 */
const TIMED = `
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print((usage.ru_utime + usage.ru_stime) * 1000)
`;

/**
 * Measures programs in Python that synthesize policies, including the start of the process: with
 * the constructs, against the prebuilt bindings of hashicorp/vault. It builds the package for
 * Python.
 *
 * @returns an empty result if the machine lacks a program for this measurement.
 */
export async function racePython(rounds: number, count: number): Promise<Medians> {
  const base = baseOrNotice();
  if (base === undefined) return {};
  const folder = mkdtempSync(join(tmpdir(), 'bench-python-'));
  try {
    const python = environmentWithWheel(folder, base);
    const synth = (contender: string) => () => {
      const command = [python, PROGRAM, contender, String(count), join(folder, 'cdktf.out')];
      const printed = execFileSync('python3', ['-c', TIMED, ...command], { encoding: 'utf8' });
      return Promise.resolve(Number(printed));
    };
    return await race(rounds, [
      { name: 'AclPolicy', run: synth('ours') },
      { name: 'Policy', run: synth('prebuilt') },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function baseOrNotice(): string | undefined {
  try {
    return baseEnvironment();
  } catch (error) {
    console.error(`NOT MEASURED: synthesis from Python. ${(error as Error).message}`);
    return undefined;
  }
}

/** Creates a virtual environment with the wheel, and returns the path of its Python. */
function environmentWithWheel(folder: string, base: string): string {
  const build = ['scripts/flavours/run.mjs', 'cdktf', 'python'];
  const wheel = execFileSync(process.execPath, build, { encoding: 'utf8' }).trim();
  const made = join(folder, 'environment');
  const support = join('test', 'languages', 'support', 'make_environment.py');
  execFileSync('python3', [support, base, made]);
  execFileSync(join(made, 'bin', 'pip'), ['install', '--quiet', wheel]);
  return join(made, 'bin', 'python');
}
