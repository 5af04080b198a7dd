import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import { race, type Medians } from './measure';

const REQUESTS = 20_000;
const IN_FLIGHT = 10;
const PATH = '/v1/sys/policies/acl/app';
const ROOT_TOKEN = 'bench-root';
const HEADERS = { 'x-vault-token': ROOT_TOKEN };
const POLICY = 'path "secret/data/app/*" { capabilities = ["read", "list"] }';

/** Sends one body whatever it is asked: what `node:http` can do at best. */
const BARE_SERVER = `
  const body = process.argv[1];
  const server = require('node:http').createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ address: 'http://127.0.0.1:' + server.address().port })));
`;

/** Reads of a policy per second, against a bare `node:http` server that sends the same body; each in its own process. */
export async function raceEmulatorReads(rounds: number): Promise<Medians> {
  const commandLine = join(__dirname, '..', 'src', 'cli', 'main.js');
  const emulator = spawn(process.execPath, [commandLine, 'emulator', '--json', '--root-token', ROOT_TOKEN]);
  const { clusters } = (await firstLine(emulator)) as { clusters: { default: { address: string } } };
  const { address } = clusters.default;
  await fetch(address + PATH, { method: 'PUT', headers: HEADERS, body: JSON.stringify({ policy: POLICY }) });
  const body = await (await fetch(address + PATH, { headers: HEADERS })).text();

  const bare = spawn(process.execPath, ['-e', BARE_SERVER, body]);
  const bareAddress = ((await firstLine(bare)) as { address: string }).address;
  const emulatorPool = new Pool(address, { connections: IN_FLIGHT });
  const barePool = new Pool(bareAddress, { connections: IN_FLIGHT });
  try {
    const times = await race(rounds, [
      { name: 'emulator', run: () => readMany(emulatorPool) },
      { name: 'bare node:http', run: () => readMany(barePool) },
    ]);
    return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, (REQUESTS / time) * 1000]));
  } finally {
    await Promise.all([emulatorPool.close(), barePool.close()]);
    emulator.kill();
    bare.kill();
  }
}

async function firstLine(child: ChildProcess): Promise<unknown> {
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return JSON.parse(line.toString());
}

async function readMany(pool: Pool): Promise<void> {
  let left = REQUESTS;
  const reader = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const response = await pool.request({ method: 'GET', path: PATH, headers: HEADERS });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, reader));
}
