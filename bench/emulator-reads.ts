import { spawn } from 'node:child_process';
import { Pool } from 'undici';
import { firstLine, ROOT_TOKEN, startEmulatorProcess } from './emulator-process';
import { race, type Medians } from './measure';

const REQUESTS = 20_000;
const IN_FLIGHT = 10;
const PATH = '/v1/sys/policies/acl/app';
const HEADERS = { 'x-vault-token': ROOT_TOKEN };
const POLICY = 'path "secret/data/app/*" { capabilities = ["read", "list"] }';

/**
 * A server that sends the same body for every request, which is the fastest that `node:http` can
 * answer.
 */
const BARE_SERVER = `
  const body = process.argv[1];
  const server = require('node:http').createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ address: 'http://127.0.0.1:' + server.address().port })));
`;

/**
 * Measures reads of a policy per second, against a bare `node:http` server that sends the same
 * body, each in its own process.
 */
export async function raceEmulatorReads(rounds: number): Promise<Medians> {
  const { emulator, address } = await startEmulatorProcess();
  await fetch(address + PATH, { method: 'PUT', headers: HEADERS, body: JSON.stringify({ policy: POLICY }) });
  const body = await (await fetch(address + PATH, { headers: HEADERS })).text();

  const bare = spawn(process.execPath, ['-e', BARE_SERVER, body]);
  const bareAddress = ((await firstLine(bare)) as { address: string }).address;
  const emulatorPool = new Pool(address, { connections: IN_FLIGHT });
  const barePool = new Pool(bareAddress, { connections: IN_FLIGHT });
  try {
    const times = await race(rounds, [
      { name: 'emulator', run: () => readMany(emulatorPool, PATH, HEADERS) },
      { name: 'bare node:http', run: () => readMany(barePool, PATH, HEADERS) },
    ]);
    return perSecond(times);
  } finally {
    await Promise.all([emulatorPool.close(), barePool.close()]);
    emulator.kill();
    bare.kill();
  }
}

/**
 * An EGP of 50 lines like those of users: conditions on the request, a helper, and a rule for each
 * condition.
 */
const EGP = `import "strings"

${Array.from(
  { length: 11 },
  (_, index) => `team_${index} = rule {
	request.path is not "guarded/team-${index}" or
		"team-${index}" in token.policies
}`,
).join('\n')}

allowed = func(path) {
	return strings.has_prefix(path, "guarded/")
}
main = rule { allowed(request.path) and ${Array.from({ length: 11 }, (_, index) => `team_${index}`).join(' and ')} }
`;

/**
 * Measures reads of a secret per second, with and without an EGP on its path, by a token that is
 * not root.
 */
export async function raceGovernedReads(rounds: number): Promise<Medians> {
  const { emulator, address } = await startEmulatorProcess();
  const put = async (path: string, body: object): Promise<{ auth?: { client_token: string } }> => {
    const response = await fetch(`${address}/v1/${path}`, {
      method: 'PUT',
      headers: HEADERS,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    const text = await response.text();
    return text === '' ? {} : (JSON.parse(text) as { auth?: { client_token: string } });
  };
  await put('sys/policies/acl/reader', { policy: 'path "+/app" { capabilities = ["read"] }' });
  for (const mount of ['open', 'guarded']) {
    await put(`sys/mounts/${mount}`, { type: 'kv' });
    await put(`${mount}/app`, { password: 'of the bench' });
  }
  await put('sys/policies/egp/teams', {
    policy: EGP,
    enforcement_level: 'hard-mandatory',
    paths: ['guarded/*'],
  });
  const { auth } = await put('auth/token/create', { policies: ['reader'] });
  const headers = { 'x-vault-token': auth!.client_token };
  const pool = new Pool(address, { connections: IN_FLIGHT });
  try {
    return perSecond(
      await race(rounds, [
        { name: 'with one EGP', run: () => readMany(pool, '/v1/guarded/app', headers) },
        { name: 'without', run: () => readMany(pool, '/v1/open/app', headers) },
      ]),
    );
  } finally {
    await pool.close();
    emulator.kill();
  }
}

function perSecond(times: Medians): Medians {
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, (REQUESTS / time) * 1000]));
}

/**
 * Reads a path many times.
 *
 * @throws Error if a read is refused.
 */
async function readMany(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  let left = REQUESTS;
  const reader = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const response = await pool.request({ method: 'GET', path, headers });
      if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, reader));
}
