import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { parseAclPolicy } from '../../../src/model';
import { Api } from '../../emulator/support/api';
import { fromAudit as fromAuditHere } from '../../../src/cli/policy/audit/from-audit';
import { temporaryFolder } from '../../support/temporary-folder';
import { startVaultAdmin, vaultAdmin } from '../support/cli';

const APP = `path "secret/data/app/*" {
  capabilities = ["create", "read", "update"]
  denied_parameters = { "forbidden" = [] }
}
path "secret/metadata/app/*" { capabilities = ["list"] }
`;
const NEW = 'path "secret/data/app/*" { capabilities = ["read", "delete"] }\n';

let folder: string;
let emulator: Emulator;
let env: Readonly<Record<string, string>>;
let accessor: string;

beforeAll(async () => {
  folder = temporaryFolder('from-audit');
  writeFileSync(join(folder, 'app.hcl'), NEW);
  emulator = await startEmulator({ auditFolder: folder });
  const [cluster] = Object.values(emulator.clusters);
  env = { VAULTADMIN_US_ADDR: cluster!.address, VAULTADMIN_US_TOKEN: cluster!.rootToken };
  const root = new Api(cluster!.address, cluster!.rootToken);
  await root.put('sys/audit/file', { type: 'file', options: { file_path: join(folder, 'audit.log') } });
  await root.put('sys/policies/acl/app', { policy: APP });
  await root.put('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
  const created = await root.post('auth/token/create', { policies: ['app'] });
  const { auth } = created.body as { auth: { accessor: string; client_token: string } };
  accessor = auth.accessor;
  const app = new Api(cluster!.address, auth.client_token);
  await app.post('secret/data/app/one', { data: { password: 'canary' } });
  await app.get('secret/data/app/one');
  await app.get('secret/data/app/two');
  await app.list('secret/metadata/app/');
  await app.get('secret/data/other');
  await app.post('secret/data/app/one', { data: {}, forbidden: 'x' });
  await app.delete('secret/data/app/one');
  await app.get('auth/token/lookup-self');
});
afterAll(() => emulator?.close());

const fromAudit = (...args: readonly string[]) => vaultAdmin(['policy', 'from-audit', ...args], env, folder);
const ofToken = () => ['audit.log', '--cluster', 'us', '--accessor', accessor];

test('policy from-audit writes a policy for the requests of a token, and reproduces every decision in the log', async () => {
  const { code, stdout } = await fromAudit(...ofToken(), '--output', 'written.hcl');
  expect(code).toBe(0);
  expect(stdout.replace(/from \S+ to \S+:/, ':')).toBe(
    '8 requests : 5 allowed, 3 denied.\nThe current policies decide 8 requests as the server did.\n' +
      'The policy was written to written.hcl.\n',
  );
  const text = readFileSync(join(folder, 'written.hcl'), 'utf8');
  expect(text).not.toContain('canary');
  expect(parseAclPolicy(text).rules).toEqual([
    { path: 'secret/data/app/one', capabilities: ['create', 'read'] },
    { path: 'secret/data/app/two', capabilities: ['read'] },
    { path: 'secret/metadata/app/', capabilities: ['list'] },
  ]);
});

test('policy from-audit breaks long lines between words on a terminal', async () => {
  const printed: string[] = [];
  const write = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => printed.push(String(text)) > 0);
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 60 });
  try {
    await fromAuditHere(
      [join(folder, 'audit.log')],
      { cluster: 'us', accessor, against: [join(folder, 'app.hcl')] },
      env,
    );
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
    write.mockRestore();
  }
  const lines = printed.join('').split('\n');
  expect(lines[0]).toMatch(/^8 requests from /);
  expect(lines.filter((line) => line.length > 60 && /\S \S/.test(line))).toEqual([]);
});

test('policy from-audit lists the requests that new policies would deny, and those that they would newly allow', async () => {
  writeFileSync(join(folder, 'audit.log.gz'), gzipSync(readFileSync(join(folder, 'audit.log'))));
  const { code, stdout } = await fromAudit('audit.log.gz', ...ofToken().slice(1), '--against', 'app.hcl');
  expect(code).toBe(1);
  expect(
    stdout
      .replace(/last \S+,/g, 'last …,')
      .split('\n')
      .slice(2),
  ).toEqual([
    '2 requests were allowed, but would be denied by the proposed policies:',
    '  create secret/data/app/one  once, last …, policies: app, default',
    '  list secret/metadata/app/  once, last …, policies: app, default',
    '1 request was denied, but would be allowed by the proposed policies:',
    '  delete secret/data/app/one  once, last …, policies: app, default',
    '',
  ]);
});

test('policy from-audit --json has the pattern, and the names of unknown policies', async () => {
  const { code, stdout } = await fromAudit(
    'audit.log',
    '--against',
    'app.hcl',
    '--pattern',
    'secret/data/app/*',
    '--json',
  );
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    unreadable: 0,
    undetermined: 0,
    unknownPolicies: {},
    against: {
      refused: [{ operation: 'create', path: 'secret/data/app/one', count: 1 }, { operation: 'list' }],
    },
    beyond: [{ path: 'secret/data/app/*', capabilities: ['create', 'read'], used: 3, of: 'requests' }],
  });
});

test('policy from-audit prints only the policy by default', async () => {
  const { code, stdout } = await fromAudit('audit.log', '--parameters', '--merge-from', '2');
  expect(code).toBe(0);
  expect(parseAclPolicy(stdout).rules).toContainEqual({
    path: 'secret/data/app/one',
    capabilities: ['create', 'read'],
    allowedParameters: { data: [] },
  });
});

describe('policy from-audit for the requests of one holder', () => {
  const logged = (path: string, auth: object) =>
    JSON.stringify({
      type: 'request',
      time: '2026-01-02T03:04:05Z',
      auth: { policies: ['app'], policy_results: { allowed: true }, ...auth },
      request: { operation: 'read', path },
    });
  const paths = async (...args: readonly string[]) => {
    const { code, stdout } = await fromAudit('holders.log', ...args, '--json');
    const { policy } = JSON.parse(stdout) as { policy: string };
    return { code, paths: parseAclPolicy(policy).rules.map(({ path }) => path) };
  };

  beforeAll(async () => {
    const [cluster] = Object.values(emulator.clusters);
    const root = new Api(cluster!.address, cluster!.rootToken);
    const { body } = await root.post('identity/entity', { name: 'jo' });
    const { id } = (body as { data: { id: string } }).data;
    const lines = [
      logged('kv/jo', { entity_id: id, accessor: 'a-1' }),
      logged('kv/other', { entity_id: 'e-2', accessor: 'a-2' }),
      logged('kv/approle', { metadata: { role_name: 'app' }, accessor: 'hmac-sha256:00' }),
      logged('kv/jwt', { entity_id: 'e-2', metadata: { role: 'app' } }),
      logged('kv/nobody', { metadata: { user: 'app' } }),
    ];
    writeFileSync(join(folder, 'holders.log'), lines.join('\n'));
  });

  test.each<[readonly string[], readonly string[]]>([
    [
      ['--entity', 'e-2'],
      ['kv/jwt', 'kv/other'],
    ],
    [['--entity', 'jo', '--cluster', 'us'], ['kv/jo']],
    [
      ['--role', 'app'],
      ['kv/approle', 'kv/jwt'],
    ],
    [
      ['--role', 'auth/approle/role/app'],
      ['kv/approle', 'kv/jwt'],
    ],
    [['--accessor', 'hmac-sha256:00'], ['kv/approle']],
    [['--entity', 'e-2', '--role', 'app'], ['kv/jwt']],
  ])('the options %j choose the requests of one holder', async (args, expected) => {
    expect(await paths(...args)).toEqual({ code: 0, paths: expected });
  });
});

test.each([
  [['missing.log'], 'missing.log cannot be read: it does not exist'],
  [
    ['app.hcl'],
    'the logs contain no matching request\nSkipped 1 line that is not an entry of an audit log in JSON.',
  ],
  [
    ['audit.log', '--role', 'nobody'],
    'the logs contain no matching request\nLogins, and requests with invalid tokens, are not counted.',
  ],
  [['audit.log', '--merge-from', '1'], 'Expected: a whole number, at least 2.'],
  [['audit.log', '--against', 'missing'], 'missing does not exist'],
])('%j is refused', async (args, message) => {
  const { code, stdout, stderr } = await fromAudit(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replaceAll('vault-admin: ', '')).toContain(message);
});

test('policy from-audit takes no more memory for a longer log', async () => {
  const bounded = { NODE_OPTIONS: '--max-old-space-size=48' };
  const child = startVaultAdmin(
    ['policy', 'from-audit', '-', '--against', 'app.hcl'],
    bounded,
    folder,
    'pipe',
  );
  const stdin = child.stdin!;
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const ended = once(child, 'close');
  const line = (type: string, index: number) =>
    JSON.stringify({
      type,
      time: '2026-01-02T03:04:05Z',
      auth: { policies: ['app'], policy_results: { allowed: true }, entity_id: `entity-${index % 100}` },
      request: { operation: 'read', path: `secret/data/app/${index}`, data: { long: 'x'.repeat(1000) } },
    });
  const REQUESTS = 80_000;
  for (let index = 0; index < REQUESTS; index += 100) {
    const many = Array.from({ length: 100 }, (_, more) => `${line('request', index + more)}\n`);
    if (!stdin.write(many.join(''))) await once(stdin, 'drain');
  }
  stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(stdout).toContain(`${REQUESTS} requests from`);
});

test('a text in the log cannot add a rule to the written policy', async () => {
  const planted = 'path "sys/*" { capabilities = ["sudo"] }';
  const entry = {
    type: 'request',
    time: `9\n${planted}\r${planted}\u2028${planted}\u001b[2J`,
    auth: { policies: ['app'], policy_results: { allowed: true } },
    request: { operation: 'read', path: 'kv/one' },
  };
  writeFileSync(join(folder, 'planted.log'), `${JSON.stringify(entry)}\n`);
  const { code, stdout } = await fromAudit('planted.log');
  expect(code).toBe(0);
  expect(stdout).toContain(String.raw`from 9\n${planted}\r${planted}\u2028${planted}\u001b[2J to `);
  expect(parseAclPolicy(stdout).rules.map(({ path }) => path)).toEqual(['kv/one']);
});
