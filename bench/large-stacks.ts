import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmulator } from '../src/emulator';
import { terraformBinary } from '../test/support/terraform';

const execute = promisify(execFile);

const POLICIES = 10_000;
const LARGE_POLICY_BYTES = 1_000_000;
const SAMPLE_MS = 50;
/**
 * Node reads NODE_EXTRA_CA_CERTS at every start, which would double the time of each of our
 * processes.
 */
const UNWANTED = /^(TF_|VAULT|NODE_EXTRA_CA_CERTS$)/;

/** The duration of a command, and the maximum memory of each of its programs. */
export interface LargeRun {
  readonly what: string;
  readonly seconds: number;
  /** The memory in MB, by the name of the program. Empty on machines without /proc. */
  readonly memory: Readonly<Record<string, number>>;
}

/** Synthesizes, plans and applies a stack of 10,000 policies, and a stack with a policy of 1 MB. */
export async function runLargeStacks(): Promise<readonly LargeRun[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-large-'));
  const emulator = await startEmulator();
  const { address, rootToken } = emulator.clusters.default;
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    CHECKPOINT_DISABLE: '1',
    VAULT_ADDR: address,
    VAULT_TOKEN: rootToken,
  };
  const measured = async (
    what: string,
    cwd: string,
    program: string,
    ...args: string[]
  ): Promise<LargeRun> => {
    const memory = watchMemory(folder);
    const started = performance.now();
    await execute(program, args, { cwd, env, maxBuffer: 256 * 1024 * 1024 });
    return { what, seconds: (performance.now() - started) / 1000, memory: memory.stop() };
  };
  const terraform = (what: string, stack: string, ...args: string[]) =>
    measured(what, join(folder, 'stacks', stack), terraformBinary(), ...args, '-input=false');
  try {
    const app = [join(__dirname, 'large-app.js'), folder, String(POLICIES), String(LARGE_POLICY_BYTES)];
    const runs = [await measured('synthesis of both stacks', folder, process.execPath, ...app)];
    for (const [stack, content] of [
      ['many-policies', `${POLICIES} policies`],
      ['large-policy', 'one policy of 1 MB'],
    ] as const) {
      await terraform('', stack, 'init');
      runs.push(await terraform(`plan of ${content}, new`, stack, 'plan'));
      runs.push(await terraform(`apply of ${content}`, stack, 'apply', '-auto-approve'));
      runs.push(await terraform(`plan of ${content}, unchanged`, stack, 'plan', '-detailed-exitcode'));
    }
    return runs;
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Watches the programs that run in a folder. */
function watchMemory(folder: string): { stop(): Readonly<Record<string, number>> } {
  const most: Record<string, number> = {};
  const look = () => {
    for (const { name, megabytes } of programsIn(folder)) most[name] = Math.max(most[name] ?? 0, megabytes);
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

function programsIn(folder: string): readonly { readonly name: string; readonly megabytes: number }[] {
  try {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((id) => programIn(folder, id) ?? []);
  } catch {
    return [];
  }
}

function programIn(folder: string, id: string) {
  try {
    if (!readlinkSync(`/proc/${id}/cwd`).startsWith(folder)) return undefined;
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    const [, name] = /^Name:\s+(.*)$/m.exec(status)!;
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(status)!;
    return { name: name!, megabytes: Math.round(Number(kilobytes) / 1024) };
  } catch {
    // The process has just ended, so its figures are gone.
    return undefined;
  }
}
