import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutable } from './provider';
import { planOne } from './terraform';

const FILE = join('scripts', 'executables', 'plan-functions.txt');
const VERSION = 'v2';
/** Matches the lines of loaded modules and of functions that ran. */
const USED = /^[MF] /;

/**
 * Records the modules and functions that the provider's executable uses in a plan of one policy, by
 * their hashes, for the next build.
 *
 * @throws Error if the runtime writes its record in another format.
 */
export async function recordPlanFunctions(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-functions-'));
  try {
    const recorded = join(folder, 'recorded');
    // Each process of the provider overwrites the file, and the last process is the one that plans.
    await planOne(buildExecutable(folder, '--recording'), { BUN_BYTECODE_ORDER_OUT: recorded });
    const [version, ...lines] = readFileSync(recorded, 'utf8').split('\n');
    if (version !== VERSION) throw new Error(`the runtime recorded functions in the form ${version}`);
    const used = lines.filter((line) => USED.test(line));
    // The order of first use depends on timing, and does not matter.
    writeFileSync(FILE, [VERSION, ...used.sort(), ''].join('\n'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
