import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { collected } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';

const folder = temporaryFolder('vault-audit');

const running = useEmulator({ auditFolder: folder });
const api = () => running().api;

const enable = (path: string, body: object) => api().put(`sys/audit/${path}`, body);
const discard = { type: 'file', options: { file_path: 'discard' } };

it('devices are enabled, listed and disabled', async () => {
  expect((await api().get('sys/audit')).body.data).toEqual({});
  const options = { file_path: join(folder, 'listed.log') };
  expect(
    (await enable('listed', { type: 'file', description: 'All of it.', options, local: true })).status,
  ).toBe(204);
  expect((await api().post('sys/audit/nested/one', discard)).status).toBe(204);

  const { status, body } = await api().get('sys/audit');
  const devices = {
    'listed/': { path: 'listed/', type: 'file', description: 'All of it.', options, local: true },
    'nested/one/': { path: 'nested/one/', ...discard, description: '', local: false },
  };
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: devices, mount_type: 'system', ...devices });

  expect((await api().delete('sys/audit/listed/')).status).toBe(204);
  expect((await api().delete('sys/audit/nested/one')).status).toBe(204);
  expect((await api().delete('sys/audit/never')).status).toBe(204);
  expect((await api().get('sys/audit')).body.data).toEqual({});
});

it.each([
  ['no type', {}, 'unknown backend type: ""'],
  ['an unknown type', { type: 'tape' }, 'unknown backend type: "tape"'],
  ['a file without a path', { type: 'file' }, 'file_path is required'],
  ['an empty path', { type: 'file', options: { file_path: '' } }, 'file_path is required'],
  [
    'another format',
    { type: 'file', options: { file_path: 'discard', format: 'jsonx' } },
    'unknown format type "jsonx": the emulator writes "json"',
  ],
  [
    'a flag that is none',
    { type: 'file', options: { file_path: 'discard', log_raw: 'perhaps' } },
    'strconv.ParseBool: parsing "perhaps": invalid syntax',
  ],
  [
    'a mode that is not octal',
    { type: 'file', options: { file_path: 'discard', mode: '0698' } },
    'strconv.ParseUint: parsing "0698": invalid syntax',
  ],
])('a device with %s is refused', async (_, body, text) => {
  const answer = await enable('refused', body);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ errors: [text] });
});

it("a path that overlaps with another device's is refused", async () => {
  await enable('taken/here', discard);
  for (const path of ['taken/here', 'taken', 'taken/here/below']) {
    const { status, body } = await enable(path, discard);
    expect([path, status, body.errors]).toEqual([path, 400, ['path already in use']]);
  }
  expect((await enable('taken/there', discard)).status).toBe(204);
});

it.each([
  ['an absolute path elsewhere', () => join(tmpdir(), 'elsewhere.log')],
  ['a relative path that leads out', () => '../elsewhere.log'],
  ['a folder that links to the outside', () => 'link/elsewhere.log'],
  ['a folder next to it with a longer name', () => `${folder}-next/audit.log`],
])('an invalid option is refused: %s', async (_, path) => {
  const link = join(folder, 'link');
  rmSync(link, { force: true });
  symlinkSync(tmpdir(), link);
  const { status, body } = await enable('outside', { type: 'file', options: { file_path: path() } });
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    `sanity check failed; unable to open "${path()}" for writing: ` +
      `the path is outside of ${folder}, the folder that the emulator may write audit logs to`,
  ]);
});

it('a file that is a link is refused', async () => {
  const link = join(folder, 'linked.log');
  symlinkSync(join(tmpdir(), 'elsewhere.log'), link);
  const { status, body } = await enable('linked', { type: 'file', options: { file_path: link } });
  expect(status).toBe(400);
  expect(body.errors[0]).toContain('ELOOP');
});

it('a pipe without a reader is refused, without waiting for one', async () => {
  const pipe = join(folder, 'pipe.log');
  execFileSync('mkfifo', [pipe]);
  const { status, body } = await enable('pipe', { type: 'file', options: { file_path: pipe } });
  expect(status).toBe(400);
  expect(body.errors[0]).toContain('ENXIO');
});

it('files are refused unless the emulator has an audit folder', async () => {
  const { api: other } = await startTestEmulator();
  const { status, body } = await other.put('sys/audit/file', {
    type: 'file',
    options: { file_path: join(folder, 'other.log') },
  });
  expect(status).toBe(400);
  expect(body.errors[0]).toMatch(/and none is given$/);
  expect((await other.put('sys/audit/file', discard)).status).toBe(204);
});

it('syslog and socket devices are stored', async () => {
  expect((await enable('log', { type: 'syslog', options: { tag: 'vault' } })).status).toBe(204);
  expect((await enable('net', { type: 'socket', options: { address: '127.0.0.1:1' } })).status).toBe(204);
  expect((await api().get('sys/audit')).body.data).toMatchObject({
    'log/': { type: 'syslog', options: { tag: 'vault' } },
    'net/': { type: 'socket' },
  });
});

it('options without effect cause a warning', async () => {
  const options = { file_path: 'discard', filter: 'mount_type == kv', fallback: 'true' };
  const { status, body } = await enable('filtered', { type: 'file', options });
  expect(status).toBe(200);
  expect(body.warnings).toEqual([
    'the emulator stores these options and does not apply them: [filter fallback]',
  ]);
  expect((await api().get('sys/audit')).body.data['filtered/'].options).toEqual(options);
});

it('sudo is required, except for hashes', async () => {
  const rules = (capabilities: string) =>
    `path "sys/audit*" { capabilities = [${capabilities}] }\npath "sys/audit/*" { capabilities = [${capabilities}] }`;
  const token = async (capabilities: string) => {
    await api().put('sys/policies/acl/auditor', { policy: rules(capabilities) });
    const { body } = await api().post('auth/token/create', { policies: ['auditor'] });
    return api().as(body.auth.client_token);
  };
  await enable('sudo', discard);
  const without = await token('"read", "update", "delete"');
  expect((await without.get('sys/audit')).status).toBe(403);
  expect((await without.put('sys/audit/more', discard)).status).toBe(403);
  expect((await without.delete('sys/audit/sudo')).status).toBe(403);
  expect((await without.put('sys/audit-hash/sudo', { input: 'x' })).status).toBe(200);
  const having = await token('"read", "update", "delete", "sudo"');
  expect((await having.get('sys/audit')).status).toBe(200);
  expect((await having.put('sys/audit/more', discard)).status).toBe(204);
  expect((await having.delete('sys/audit/more')).status).toBe(204);
});

it('the path is only supported in the root namespace, and read with GET', async () => {
  await api().post('sys/namespaces/team');
  const namespaced = await api().get('sys/audit', { namespace: 'team' });
  expect([namespaced.status, namespaced.body.errors]).toEqual([404, [collected('unsupported path')]]);
  expect((await api().list('sys/audit')).status).toBe(404);
  expect((await api().get('sys/audit/sudo')).status).toBe(405);
});

it('texts are hashed with the salt of their device', async () => {
  await enable('one', discard);
  await enable('two', discard);
  const hash = async (path: string, input: string) =>
    (await api().put(`sys/audit-hash/${path}`, { input })).body.data.hash as string;
  const first = await hash('one', 'canary');
  expect(first).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  expect(await hash('one', 'canary')).toBe(first);
  expect(await hash('one', 'other')).not.toBe(first);
  expect(await hash('two', 'canary')).not.toBe(first);
  // A new device at the same path has a different salt.
  await api().delete('sys/audit/one');
  await enable('one', discard);
  expect(await hash('one', 'canary')).not.toBe(first);

  const empty = await api().put('sys/audit-hash/one', { input: '' });
  expect([empty.status, empty.body.errors]).toEqual([400, ['the "input" parameter is empty']]);
  const unknown = await api().put('sys/audit-hash/never', { input: 'x' });
  expect([unknown.status, unknown.body.errors]).toEqual([400, ['unknown audit backend "never/"']]);
});

it('audit devices exist on the open-source server as well', async () => {
  const { api: open } = await startTestEmulator({ serverVersion: '1.21.0' });
  expect((await open.put('sys/audit/file', discard)).status).toBe(204);
});
