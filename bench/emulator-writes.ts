import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startEmulator } from '../src/emulator';
import { ROOT_TOKEN, startEmulatorProcess } from './emulator-process';
import { race, type Medians } from './measure';

const REQUESTS = 10_000;
const IN_FLIGHT = 20;
const HEADERS = { 'x-vault-token': ROOT_TOKEN };

/**
 * Measures writes of secrets per second, with a data folder and without. The difference is the time
 * for writing each secret to disk before the response.
 */
export async function raceEmulatorWrites(rounds: number): Promise<Medians> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-data-'));
  const stored = await startEmulatorProcess('--data', folder);
  const forgotten = await startEmulatorProcess();
  const pools = [stored, forgotten].map(({ address }) => new Pool(address, { connections: IN_FLIGHT }));
  const [disk, memory] = pools as [Pool, Pool];
  try {
    for (const pool of pools) await send(pool, 'sys/mounts/kv', { type: 'kv' });
    const times = await race(rounds, [
      { name: 'with --data', run: () => writeMany(disk) },
      { name: 'without', run: () => writeMany(memory) },
    ]);
    return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, (REQUESTS / time) * 1000]));
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
    for (const { emulator } of [stored, forgotten]) emulator.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const EXPIRED = 100_000;

/**
 * Returns the milliseconds in which a list of accessors removes 100,000 expired wrapping tokens.
 * This is the longest time that a request waits for this removal.
 */
export async function timeExpiredTokens(): Promise<number> {
  const emulator = await startEmulator({ rootToken: ROOT_TOKEN });
  const pool = new Pool(emulator.clusters.default.address, { connections: IN_FLIGHT });
  try {
    const wrap = { ...HEADERS, 'x-vault-wrap-ttl': '60' };
    await times(EXPIRED, () => send(pool, 'sys/wrapping/wrap', { a: 'b' }, wrap));
    emulator.clock.advance(120_000);
    const start = performance.now();
    await send(pool, 'auth/token/accessors?list=true');
    return performance.now() - start;
  } finally {
    await pool.close();
    await emulator.close();
  }
}

function writeMany(pool: Pool): Promise<void> {
  return times(REQUESTS, (left) => send(pool, `kv/team-${left % 10}/${left}`, { password: `of ${left}` }));
}

/** Runs a number of requests, some of them at the same time. */
async function times(count: number, run: (left: number) => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await run(left);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/**
 * Sends a request.
 *
 * @throws Error if it is refused.
 */
async function send(
  pool: Pool,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<void> {
  const response = await pool.request({
    method: body === undefined ? 'GET' : 'POST',
    path: `/v1/${path}`,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.body.dump();
  if (response.statusCode >= 300) throw new Error(`${path} answered ${response.statusCode}`);
}
