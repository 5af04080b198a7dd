import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { newLatch } from '../../support/latch';
import { newPgpPair, type PgpPair } from '../../support/pgp';
import { temporaryFolder } from '../../support/temporary-folder';
import { until } from '../../support/until';
import { startVaultAdmin, vaultAdmin } from '../support/cli';

const ROOT = 'hvs.canary-root-token';

let emulator: Emulator;
let folder: string;
const outputs: string[] = [];

async function start(options: EmulatorOptions = {}): Promise<Api> {
  emulator = await startEmulator({
    clusters: { us: 0 },
    rootToken: ROOT,
    uninitialized: 'shamir',
    ...options,
  });
  return new Api(emulator.clusters.us!.address, ROOT);
}

beforeEach(() => (folder = temporaryFolder('init')));
afterEach(() => emulator.close());

const settings = () => ({ VAULTADMIN_US_ADDR: emulator.clusters.us!.address });

async function init(...args: readonly string[]) {
  const ended = await vaultAdmin(['init', ...args], settings(), folder);
  outputs.push(ended.stdout, ended.stderr);
  return ended;
}

function write(name: string, content: string | object): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

interface Stored {
  readonly shares: readonly string[];
  readonly root_token?: string;
}

const stored = () => JSON.parse(readFileSync(join(folder, 'us.init.json'), 'utf8')) as Stored;
const isInitialized = async (api: Api) =>
  ((await api.get('sys/init')).body as { initialized: boolean }).initialized;

const SETUP = {
  license: { valid_for: '720h' },
  autopilot: { cleanup_dead_servers: true, min_quorum: 3, last_contact_threshold: '20s' },
  policies: { deployer: 'deployer.hcl' },
  auth: { type: 'approle', write: { 'role/deployer': { token_policies: 'deployer' } } },
};

function writeSetup(setup: object = SETUP): string {
  write('deployer.hcl', 'path "sys/policies/acl/*" { capabilities = ["read"] }');
  return write('setup.json', setup);
}

test('init takes a cluster to its first apply: shares for PGP keys, unsealing, setup, and no root token in the end', async () => {
  const api = await start();
  const pairs = await Promise.all(['ann', 'bob', 'eve'].map(newPgpPair));
  const files = pairs.map(({ armored }, index) => write(`${index}.asc`, armored));
  const setup = writeSetup();

  const first = await init('--pgp-key', ...files, '--setup', setup);
  expect(first).toEqual({
    code: 1,
    stdout:
      'us: initialized with 3 shares, 2 required: us.init.json\n' +
      'us: share 1, encrypted for 0.asc: us.share-1.pgp\n' +
      'us: share 2, encrypted for 1.asc: us.share-2.pgp\n' +
      'us: share 3, encrypted for 2.asc: us.share-3.pgp\n' +
      'us: is sealed: it has 0 of the 2 shares that it requires\n' +
      '  To do: whoever has a share decrypts it (gpg --decrypt), and hands it over with "vault operator unseal" or in ' +
      'a file with --share-file; then run the command again.\n',
    stderr: '',
  });
  for (const name of readdirSync(folder).filter((each) => each.startsWith('us.'))) {
    expect({ name, mode: statSync(join(folder, name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
  }
  const shares = await decrypted(pairs);
  write('share', shares[0]!);
  expect((await init('--share-file', 'share')).stdout).toContain(
    'us: is initialized already\nus: is sealed: it has 1 of the 2 shares that it requires\n',
  );
  write('share', shares[2]!);
  expect(await init('--share-file', 'share', '--setup', setup)).toEqual({
    code: 0,
    stdout:
      'us: is initialized already\n' +
      'us: unsealed\n' +
      'us: license: valid until 2099-12-31T23:59:59Z\n' +
      'us: autopilot: set, and read back\n' +
      'us: policy deployer: written\n' +
      'us: auth method approle: enabled\n' +
      'us: auth/approle/role/deployer: written\n' +
      'us: its root token is revoked\n',
    stderr: '',
  });
  expect((await api.get('auth/token/lookup-self')).status).toBe(403);
  expect(stored().root_token).toBeUndefined();
  expect(await init('--setup', setup)).toEqual({
    code: 0,
    stdout: 'us: is initialized already\nus: is unsealed already\nus: its root token is revoked already\n',
    stderr: '',
  });
  const secrets = [ROOT, ...shares, ...shares.map((share) => Buffer.from(share, 'hex').toString('base64'))];
  expect(secrets.filter((secret) => outputs.some((text) => text.includes(secret)))).toEqual([]);
});

async function decrypted(pairs: readonly PgpPair[]): Promise<readonly string[]> {
  const files = pairs.map((_, index) => readFileSync(join(folder, `us.share-${index + 1}.pgp`)));
  return Promise.all(files.map((file, index) => pairs[index]!.open(file)));
}

test('shares are printed only with --show-keys', async () => {
  const api = await start();
  const refused = await init();
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 2,
    stderr:
      'vault-admin: cluster us is not initialized, and nobody is named who receives the shares of its key\n' +
      'Nothing was sent.\n' +
      'To do: give the public PGP key of each with --pgp-key, or have the shares printed with --show-keys.\n',
  });
  expect([await isInitialized(api), readdirSync(folder)]).toEqual([false, []]);

  const shown = await init('--show-keys', '--shares', '2');
  expect(shown.code).toBe(1);
  expect(shown.stdout).toBe(
    'us: initialized with 2 shares, 2 required: us.init.json\n' +
      stored()
        .shares.map((share, index) => `us: share ${index + 1}: ${share}\n`)
        .join('') +
      'us: unsealed\n' +
      'us: its root token is valid: us.init.json\n' +
      '  To do: run the command with --setup, which sets up the login of the deployer and revokes the token.\n',
  );
  expect(shown.stdout).not.toContain(ROOT);
});

test('a cluster with automatic unsealing gets recovery shares', async () => {
  await start({ uninitialized: 'auto' });
  const pair = await newPgpPair('ann');
  const { code, stdout } = await init('--pgp-key', write('ann.asc', pair.armored), '--setup', writeSetup());
  expect({ code, lines: stdout.split('\n').slice(0, 3) }).toEqual({
    code: 0,
    lines: [
      'us: initialized with 1 recovery share, 1 required: us.init.json',
      'us: share 1, encrypted for ann.asc: us.share-1.pgp',
      'us: is unsealed already',
    ],
  });
});

test('an existing file is refused before anything is sent', async () => {
  const api = await start();
  write('us.init.json', 'the shares of another cluster');
  const { code, stderr } = await init('--show-keys');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'vault-admin: us.init.json already exists, and the cluster is not initialized\n' +
      'Nothing was sent. The file may have the shares of another cluster, or of earlier data of this one.\n' +
      'To do: move the file away, or choose another folder with --folder.\n',
  });
  expect(await isInitialized(api)).toBe(false);
  expect(readFileSync(join(folder, 'us.init.json'), 'utf8')).toBe('the shares of another cluster');
});

test('a run that loses the answer leaves an empty file, and the next one reports that nobody has the shares', async () => {
  const api = await start();
  emulator.faults.inject({ path: 'sys/init', method: 'POST', drop: 'after' });
  const lost = await init('--show-keys');
  expect(lost.code).toBe(3);
  expect(lost.stderr.split('\n').slice(1)).toEqual([
    'The cluster may be initialized. If it is, nobody has its shares: the server gives them once. us.init.json is empty.',
    'To do: run the command again, which says whether the cluster is initialized. If it is not, remove us.init.json ' +
      'first; if it is, give it empty storage.',
    '',
  ]);
  expect(await isInitialized(api)).toBe(true);
  const again = await init('--show-keys');
  expect({ code: again.code, stderr: again.stderr }).toEqual({
    code: 2,
    stderr:
      'vault-admin: us.init.json is empty, and the cluster is initialized\n' +
      'The run that made the file did not receive the answer of the server: nobody has its shares.\n' +
      'To do: if the cluster is new, give it empty storage, remove the file, and run the command again.\n',
  });
});

test('the next run uses an answer that a killed run has written to a temporary file', async () => {
  await start();
  expect((await init('--show-keys', '--shares', '1')).code).toBe(1);
  const answer = readFileSync(join(folder, 'us.init.json'), 'utf8');
  write('us.init.json.part', answer);
  write('us.init.json', '');
  const { code, stdout } = await init('--setup', writeSetup());
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    code: 0,
    last: 'us: its root token is revoked',
  });
  expect(readdirSync(folder)).not.toContain('us.init.json.part');
  expect(stored().shares).toEqual((JSON.parse(answer) as Stored).shares);
});

test('an answer that cannot be stored is not lost: the shares are printed, encrypted if there are PGP keys', async () => {
  await start();
  const keys = await newPgpPair('Ada');
  const place = join(folder, 'keys');
  mkdirSync(place);
  const removed = newLatch();
  emulator.faults.inject({ path: 'sys/init', method: 'POST', until: removed.opened });
  const running = init('--folder', 'keys', '--pgp-key', write('ada.asc', keys.armored));
  await until(() => existsSync(join(place, 'us.init.json')));
  rmSync(place, { recursive: true });
  removed.open();
  const { code, stdout, stderr } = await running;
  const [, share = ''] = /^us: share 1, encrypted for ada\.asc: (\S+)\n$/.exec(stdout) ?? [];
  expect(await keys.open(Buffer.from(share, 'base64'))).toMatch(/^[0-9a-f]+$/);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'vault-admin: the answer of the server could not be stored in keys/us.init.json: it does not exist\n' +
      'The cluster is initialized. Its shares are printed above, and its root token is lost.\n' +
      'To do: keep the shares, unseal the cluster with them ("vault operator unseal"), and make another root token with ' +
      '"vault operator generate-root".\n',
  });
});

test('a run that is killed during the setup is completed by the next run', async () => {
  const api = await start();
  emulator.faults.inject({ path: 'auth/approle/role/deployer', method: 'POST', latencyMs: 60_000 });
  const command = startVaultAdmin(
    ['init', '--show-keys', '--shares', '1', '--setup', writeSetup()],
    settings(),
    folder,
  );
  const enabled = async () => ((await api.get('sys/auth')).body?.data ?? {}) as Record<string, unknown>;
  await until(async () => 'approle/' in (await enabled()));
  const ended = new Promise((resolve) => command.once('close', resolve));
  command.kill('SIGKILL');
  await ended;
  emulator.faults.clear();
  expect(await init('--setup', 'setup.json')).toEqual({
    code: 0,
    stdout:
      'us: is initialized already\n' +
      'us: is unsealed already\n' +
      'us: license: valid until 2099-12-31T23:59:59Z\n' +
      'us: autopilot: is set already\n' +
      'us: policy deployer: written\n' +
      'us: auth method approle: is enabled already\n' +
      'us: auth/approle/role/deployer: written\n' +
      'us: its root token is revoked\n',
    stderr: '',
  });
});

test('a refused initialization leaves no file', async () => {
  await start();
  const { code, stderr } = await init('--show-keys', '--shares', '2', '--threshold', '1');
  expect(code).toBe(3);
  expect(stderr).toContain('threshold must be greater than one for multiple shares');
  expect(readdirSync(folder)).toEqual([]);
});

test('a root token is kept as long as a setting is wrong', async () => {
  const api = await start();
  const setup = writeSetup({ ...SETUP, license: { valid_for: '1000000h' }, autopilot: { unknown: true } });
  const { code, stdout } = await init('--show-keys', '--setup', setup);
  expect(code).toBe(1);
  expect(stdout).toContain(
    'us: license: valid until 2099-12-31T23:59:59Z, which is less than the setup requires\n' +
      '  To do: correct it, and run the command again.\n' +
      'us: autopilot: the server did not take unknown\n',
  );
  expect((await api.get('auth/token/lookup-self')).status).toBe(200);
});

test.each([
  ['{', /^vault-admin: --setup: setup\.json is not JSON: /],
  [{ lisence: {} }, /unknown member "lisence" in the file; allowed: license, autopilot, policies, auth\n/],
  [{ license: { valid_for: 'long' } }, /has no duration such as "720h" in license\.valid_for\n/],
  [{ policies: { ops: 'missing.hcl' } }, /missing\.hcl cannot be read: it does not exist\n/],
  [{ auth: { path: 'jwt' } }, /has no text in auth\.type and auth\.path\n/],
])('a setup such as %j is refused before anything is sent', async (setup, message) => {
  const api = await start();
  write('setup.json', setup);
  const { code, stderr } = await init('--show-keys', '--setup', 'setup.json');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) as string });
  expect(await isInitialized(api)).toBe(false);
});

test('a folder that does not exist is refused before anything is sent', async () => {
  const api = await start();
  const { code, stderr } = await init('--show-keys', '--folder', 'keys/new');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'vault-admin: keys/new/us.init.json cannot be made: the folder keys/new does not exist\n' +
      'Nothing was sent.\nTo do: make the folder, or choose another one with --folder.\n',
  });
  expect(await isInitialized(api)).toBe(false);
});

test.each([
  ['missing.asc', undefined, '--pgp-key: missing.asc cannot be read: it does not exist\n'],
  ['text.asc', 'not a key', '--pgp-key: text.asc is not a public PGP key\n'],
])('a PGP key in %s is refused before anything is sent', async (name, content, message) => {
  const api = await start();
  if (content !== undefined) write(name, content);
  const { code, stderr } = await init('--pgp-key', name);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
  expect(await isInitialized(api)).toBe(false);
});
