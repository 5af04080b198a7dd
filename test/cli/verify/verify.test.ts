import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBES } from '../../../src/cli/verify/probes';
import type { Probe } from '../../../src/cli/verify/probes/probe';
import type { Unseen } from '../../../src/cli/verify/unseen';
import { type Assume, type AssumptionName, startEmulator } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { temporaryFolder } from '../../support/temporary-folder';
import { until } from '../../support/until';
import { startVaultAdmin, vaultAdmin } from '../support/cli';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('verify');
});

/**
 * The number of assumptions that can be tested in a namespace of a cluster that is not disposable,
 * and is no DR secondary.
 */
const SEEN_IN_NAMESPACE = Object.entries<Probe<AssumptionName> | Unseen>(PROBES).filter(
  ([name, probe]) =>
    'where' in probe && ['nowhere', 'namespace'].includes(probe.where) && name !== 'healthOfDrSecondary',
).length;

/** The token of the server. A report with any part of it would reveal whose server it is. */
const TOKEN = 'hvs.CANARYcanaryCANARYcanary';

async function start(assume: Assume | string = {}) {
  const emulator = await startEmulator({ clusters: { 'canary-prod': 0 }, rootToken: TOKEN, assume });
  const { address } = emulator.clusters['canary-prod'];
  const api = new Api(address, TOKEN);
  return {
    emulator,
    api,
    env: { VAULT_ADDR: address, VAULT_TOKEN: TOKEN },
    namespaces: async () => ((await api.list('sys/namespaces')).body.data?.keys ?? []) as string[],
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

async function report(env: Readonly<Record<string, string>>, name: string) {
  const file = join(folder, name);
  const { code, stdout, stderr } = await vaultAdmin(['verify', '--report', file], env);
  const text = readFileSync(file, 'utf8');
  return { code, stdout, stderr, file, text, json: JSON.parse(text) };
}

test('a server that behaves as assumed has exit code 0, and the command leaves nothing on it', async () => {
  await using server = await start();
  const { code, stdout, stderr, json } = await report(server.env, 'as-assumed.json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(json).toMatchObject({
    format: 'cdktf-vault-admin verify, 1',
    server: { version: '1.21.0+ent' },
    counts: { as_assumed: SEEN_IN_NAMESPACE, otherwise: 0 },
  });
  expect(stdout).toContain('as assumed  managedKeyWrites=merge\n');
  expect(await server.namespaces()).toEqual([]);
  const outside = server.emulator.requests.list().filter(({ method, path, namespace, status }) => {
    const writes = method !== 'GET' && status < 400;
    return writes && namespace === '' && !path.startsWith('sys/namespaces/vault-admin-verify-');
  });
  expect(outside).toEqual([]);
});

test('an emulator with the findings behaves like the server, with the texts of its refusals', async () => {
  await using server = await start({
    untidyPaths: '307',
    managedKeyWrites: 'replace',
    testSignUsages: 'both',
    testSignMissing: 'curt',
    managedKeyInUse: { status: 409, text: 'key {0} has users: {1}' },
    namespaceWithChildren: { text: 'there is something below {0} still' },
  });
  const first = await report(server.env, 'first.json');
  expect(first.code).toBe(1);
  expect(first.json.assumptions).toMatchObject({
    untidyPaths: { outcome: 'otherwise', alternative: '307' },
    testSignMissing: { outcome: 'otherwise', alternative: 'curt' },
    managedKeyInUse: {
      outcome: 'otherwise',
      measured: { status: 409, text: 'key {0} has users: {1}' },
      seen: '409 with the text "key {0} has users: {1}"',
    },
    namespaceWithChildren: {
      outcome: 'as_assumed',
      measured: { text: 'there is something below {0} still' },
    },
  });
  expect(first.stdout).toContain(
    'different   untidyPaths: The status that redirects clients from a path with repeated slashes or dot segments to the clean path.\n' +
      "            seen     307: 307, as Go's router responds in later versions.\n" +
      "            assumed  301: 301, as Go's router responds in versions up to 1.21.\n",
  );
  await using twin = await start(first.file);
  const second = await report(twin.env, 'second.json');
  expect(second.json).toEqual(first.json);
});

test('a report contains no secret, name or address, whatever the server answers', async () => {
  const text =
    'refused by canary-prod (CANARY) at https://vault.canary.example:8200/v1/x for canary-team/ and hvs.CAESIcanary ' +
    'on 10.11.12.13:8201, [2001:db8::ca]:8200, /opt/canary/raft, ops@canary.example, s.canarycanary, {0}';
  await using server = await start({
    managedKeyInUse: { status: 418, text },
    mountStatus: { status: 409, text },
    testSignFailed: { text: `{0}: ${text}` },
  });
  await server.api.post('sys/namespaces/canary-team', {});
  const env = { ...server.env, VAULT_NAMESPACE: 'canary-team' };
  const { text: written, stdout, json } = await report(env, 'canaries.json');
  expect(json.assumptions.managedKeyInUse).toMatchObject({
    outcome: 'otherwise',
    seen: '418 with the text "refused by … at … for … and … on … {0}"',
  });
  for (const canary of [/canary/i, /127\.0\.0\.1/, /10\.11/, /2001/, /8200/, /hvs\./, /localhost/]) {
    expect(written).not.toMatch(canary);
    expect(stdout).not.toMatch(canary);
  }
});

test('objects that an earlier run has left are removed, and no others', async () => {
  await using server = await start();
  const left = 'vault-admin-verify-0a1b2c3d';
  for (const name of [left, 'vault-admin-verify-mine', 'team'])
    await server.api.post(`sys/namespaces/${name}`, {});
  await server.api.post('sys/namespaces/inner', {}, { namespace: left });
  await server.api.post('sys/mounts/kv', { type: 'kv' }, { namespace: `${left}/inner` });
  const { code, stderr } = await vaultAdmin(['verify'], server.env);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `vault-admin: removed the namespace "${left}" of an earlier run\n`,
  });
  expect(await server.namespaces()).toEqual(['team/', 'vault-admin-verify-mine/']);
});

describe('a run that is interrupted', () => {
  /** Starts the command, and returns when its namespace exists and the run continues. */
  async function underWay(server: Awaited<ReturnType<typeof start>>) {
    // The run waits at this call, until a signal ends it.
    server.emulator.faults.inject({ path: 'auth/verify-roles/role/verify', latencyMs: 10_000 });
    const child = startVaultAdmin(['verify'], server.env);
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    const isThere = async () =>
      (await server.namespaces()).length > 0 &&
      server.emulator.requests.list().some(({ path }) => path.startsWith('sys/auth/verify-roles'));
    await until(isThere, () => `the run did not begin: ${stderr}`);
    return { child, ended, stderr: () => stderr };
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s removes what it made', async (signal, code) => {
    await using server = await start();
    const { child, ended, stderr } = await underWay(server);
    child.kill(signal);
    expect((await ended)[0]).toBe(code);
    expect(stderr()).toBe('vault-admin: interrupted; what was made on the server is removed\n');
    expect(await server.namespaces()).toEqual([]);
  });

  test('a run that SIGKILL ends leaves a namespace, which the next run removes', async () => {
    await using server = await start();
    const { child, ended } = await underWay(server);
    child.kill('SIGKILL');
    await ended;
    expect(await server.namespaces()).toHaveLength(1);
    server.emulator.faults.clear();
    expect((await vaultAdmin(['verify'], server.env)).code).toBe(0);
    expect(await server.namespaces()).toEqual([]);
  });
});

describe('a run with a failure', () => {
  test('a namespace that cannot be removed is reported, with the way to remove it', async () => {
    await using server = await start();
    server.emulator.faults.inject({
      method: 'DELETE',
      path: 'sys/namespaces/vault-admin-verify-*',
      status: 500,
    });
    const { code, stderr } = await vaultAdmin(['verify'], server.env);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^vault-admin: cannot remove the namespace "vault-admin-verify-[0-9a-f]{8}", which this run made: the server answered 500/,
    );
    expect(stderr).toContain(
      'To do: run the command again, which removes it first, or delete the namespace.\n',
    );
  });

  test('a token that may not create namespaces tests only assumptions that need no write', async () => {
    await using server = await start();
    await server.api.put('sys/policies/acl/reader', {
      policy:
        'path "sys/policies/*" { capabilities = ["read"] } path "sys/namespaces*" { capabilities = ["list"] }',
    });
    const { body } = await server.api.post('auth/token/create', { policies: ['reader'] });
    const env = { ...server.env, VAULT_TOKEN: body.auth.client_token as string };
    const { code, json } = await report(env, 'reader.json');
    expect(code).toBe(0);
    expect(json.assumptions.managedKeyWrites).toEqual({
      outcome: 'not_seen',
      seen: 'namespaces cannot be created: the token is not allowed to do this',
    });
    expect(json.assumptions.untidyPaths.outcome).toBe('as_assumed');
    expect(await server.namespaces()).toEqual([]);
  });

  test('a server that does not answer has exit code 3', async () => {
    const { code, stdout, stderr } = await vaultAdmin(['verify'], {
      VAULT_ADDR: 'http://127.0.0.1:1',
      VAULT_TOKEN: TOKEN,
    });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('connect ECONNREFUSED');
  });

  test.each<[string[], Record<string, string>, string]>([
    [[], {}, 'cluster "default" has no token: a token is necessary'],
    [
      ['--report', '/nowhere/report.json'],
      { VAULT_TOKEN: TOKEN },
      'the report /nowhere/report.json cannot be written: ',
    ],
    [['--report', '/tmp'], { VAULT_TOKEN: TOKEN }, 'the report /tmp cannot be written: it is a folder'],
    [
      [],
      { VAULTADMIN_US_ADDR: 'http://127.0.0.1:1', VAULTADMIN_EU_ADDR: 'http://127.0.0.1:2' },
      'the environment describes several clusters: choose one with --cluster\nDescribed: eu, us.',
    ],
  ])('%j is refused before any request', async (args, env, message) => {
    const { code, stdout, stderr } = await vaultAdmin(['verify', ...args], { HOME: folder, ...env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`vault-admin: ${message}`);
  });

  test.each([
    ['{}', 'is not a report of "vault-admin verify --report" of this version.'],
    [
      '{"format":"cdktf-vault-admin verify, 1","server":{"version":"1.21.0+ent"},"assumptions":{"untidyPaths":null}}',
      'is not a report of "vault-admin verify --report" of this version.',
    ],
    [
      '{"format":"cdktf-vault-admin verify, 1","server":{"version":"1.21.0+ent"},"assumptions":{"untidyPaths":{"outcome":"guessed"}}}',
      'is not a report of "vault-admin verify --report" of this version.',
    ],
    ['no JSON', 'is not a report of "vault-admin verify --report" of this version.'],
    [
      '{"format":"cdktf-vault-admin verify, 1","server":{"version":"1.21.0+ent"},"assumptions":{"untidyPaths":{"outcome":"otherwise","measured":{"ms":1}}}}',
      'assumption "untidyPaths" has no {"ms":1}; allowed are status (a number).',
    ],
  ])('an emulator refuses a file with %j', async (text, message) => {
    const file = join(folder, 'not-a-report.json');
    writeFileSync(file, text);
    const { code, stderr } = await vaultAdmin(['emulator', '--assume', file], {});
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
