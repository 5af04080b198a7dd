import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { startEmulator } from '../src/emulator';
import { race, type Medians } from './measure';

const REQUESTS = 20_000;
const IN_FLIGHT = 10;
const POLICY = 'path "secret/data/app/*" { capabilities = ["read", "list"] }';

/** Reads of a policy per second, against a bare `node:http` server that sends the same body. */
export async function raceEmulatorReads(rounds: number): Promise<Medians> {
  const emulator = await startEmulator({ clusters: [{ name: 'bench' }] });
  const { address, rootToken } = emulator.cluster('bench');
  const path = '/v1/sys/policies/acl/app';
  const headers = { 'x-vault-token': rootToken };
  await fetch(address + path, { method: 'PUT', headers, body: JSON.stringify({ policy: POLICY }) });
  const body = await (await fetch(address + path, { headers })).text();

  const bare = await startBare(body);
  const emulatorPool = new Pool(address, { connections: IN_FLIGHT });
  const barePool = new Pool(`http://127.0.0.1:${(bare.address() as AddressInfo).port}`, { connections: IN_FLIGHT });
  try {
    const times = await race(rounds, [
      { name: 'emulator', run: () => readMany(emulatorPool, path, headers) },
      { name: 'bare node:http', run: () => readMany(barePool, path, headers) },
    ]);
    return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, (REQUESTS / time) * 1000]));
  } finally {
    await Promise.all([emulatorPool.close(), barePool.close()]);
    bare.close();
    await emulator.close();
  }
}

function startBare(body: string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function readMany(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  let left = REQUESTS;
  const reader = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const response = await pool.request({ method: 'GET', path, headers });
      await response.body.text();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, reader));
}
