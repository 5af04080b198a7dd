import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/temporary-folder';
import { type Api, collected } from '../../support/api';
import { expectStatus, joinedPair, startSet } from '../../replication/support/set';
import { startTestEmulator, useEmulator } from '../../support/emulator';

const folder = temporaryFolder('vault-audit');

const running = useEmulator({ auditFolder: folder });
const api = () => running().api;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- entries have any shape, and tests say which
type Entry = any;

const file = (name: string) => join(folder, `${name}.log`);
const textOf = (name: string) => readFileSync(file(name), 'utf8');
const entriesOf = (name: string): Entry[] =>
  textOf(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/**
 * Enables an audit device, calls a function, and disables the device.
 *
 * @returns the entries of the log.
 */
async function audited(
  name: string,
  calls: () => Promise<unknown>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Entry[]> {
  const body = { type: 'file', options: { file_path: file(name), ...options } };
  expect((await api().put(`sys/audit/${name}`, body)).status).toBe(204);
  const before = textOf(name).length;
  await calls();
  const written = textOf(name).slice(before);
  await api().delete(`sys/audit/${name}`);
  return written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
}

const hashOf = async (device: string, input: string) =>
  (await api().put(`sys/audit-hash/${device}`, { input })).body.data.hash as string;

beforeAll(() => api().post('sys/mounts/kv', { type: 'kv' }));

it('a new device logs a test entry, and the response to the request that enabled it', async () => {
  await api().put('sys/audit/first', { type: 'file', options: { file_path: file('first') } });
  await api().delete('sys/audit/first');
  const [test, enabled, disabling, ...more] = entriesOf('first');
  expect(test).toMatchObject({ type: 'request', request: { operation: 'update', path: 'sys/audit/test' } });
  expect(enabled).toMatchObject({ type: 'response', request: { path: 'sys/audit/first' } });
  // The last entry belongs to the request that disables the device.
  expect(disabling).toMatchObject({ type: 'request', request: { operation: 'delete' } });
  expect(more).toEqual([]);
});

it('skip_test leaves the test entry out', async () => {
  const options = { file_path: file('untested'), skip_test: 'true' };
  await api().put('sys/audit/untested', { type: 'file', options });
  await api().delete('sys/audit/untested');
  expect(entriesOf('untested').map(({ type }) => type as string)).toEqual(['response', 'request']);
});

it('each call has an entry for the request and one for the response, with hashed texts', async () => {
  let hash = '';
  const [request, response] = await audited('plain', async () => {
    await api().put('kv/new', { password: 'canary', deep: [{ also: 'canary' }, 7, true, null] });
    hash = await hashOf('plain', 'canary');
  });
  const mount = { mount_class: 'secret', mount_point: 'kv/', mount_type: 'kv' };
  expect(request).toEqual({
    auth: {
      accessor: expect.stringMatching(/^hmac-sha256:/),
      client_token: expect.stringMatching(/^hmac-sha256:/),
      display_name: 'root',
      policies: ['root'],
      policy_results: { allowed: true },
      token_issue_time: expect.any(String),
      token_policies: ['root'],
      token_type: 'service',
    },
    request: {
      client_token: request.auth.client_token,
      client_token_accessor: request.auth.accessor,
      data: { password: hash, deep: [{ also: hash }, 7, true, null] },
      id: response.request.id,
      ...mount,
      mount_accessor: expect.stringMatching(/^kv_/),
      mount_running_version: 'v1.21.0+builtin.vault',
      namespace: { id: 'root' },
      operation: 'create',
      path: 'kv/new',
      remote_address: '127.0.0.1',
    },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    type: 'request',
  });
  expect(response).toEqual({
    ...request,
    type: 'response',
    time: expect.any(String),
    response: {
      ...mount,
      mount_accessor: request.request.mount_accessor,
      mount_running_plugin_version: 'v1.21.0+builtin.vault',
    },
  });
});

it('no call leaves a secret in the log', async () => {
  await api().post('sys/auth/userpass', { type: 'userpass' });
  const secrets: string[] = ['canary-value', 'canary-password'];
  await audited('secrets', async () => {
    await api().put('kv/secret', { key: 'canary-value' });
    await api().get('kv/secret');
    await api().put('auth/userpass/users/ann', { password: 'canary-password' });
    const login = await api().as(undefined).post('auth/userpass/login/ann', { password: 'canary-password' });
    secrets.push(login.body.auth.client_token as string, login.body.auth.accessor as string);
    const wrapped = await api().get('kv/secret', { headers: { 'X-Vault-Wrap-TTL': '60' } });
    secrets.push(wrapped.body.wrap_info.token as string, wrapped.body.wrap_info.accessor as string);
    await api().post('sys/wrapping/unwrap', { token: wrapped.body.wrap_info.token });
    const wrappedLogin = await api()
      .as(undefined)
      .post(
        'auth/userpass/login/ann',
        { password: 'canary-password' },
        { headers: { 'X-Vault-Wrap-TTL': '60', 'X-Vault-Wrap-Format': 'jwt' } },
      );
    const jwt = wrappedLogin.body.wrap_info.token as string;
    const inside = await api().as(jwt).post('sys/wrapping/unwrap');
    secrets.push(jwt, inside.body.auth.client_token as string, inside.body.auth.accessor as string);
    await api().as('canary-value').get('kv/secret');
    await api().put('kv/secret', '{"key": "canary-value"');
    await api().post('auth/token/create', { id: 'canary-value', ttl: 'canary-password' });
  });
  const text = textOf('secrets');
  for (const secret of secrets) expect(text).not.toContain(secret);
});

it('logins, wrapping and unwrapping are logged with their results', async () => {
  await api().put('kv/held', { key: 'canary' });
  let hash = '';
  const entries = await audited('answers', async () => {
    const { body } = await api().get('kv/held', { headers: { 'X-Vault-Wrap-TTL': '60' } });
    await api().post('sys/wrapping/unwrap', { token: body.wrap_info.token });
    hash = await hashOf('answers', 'canary');
  });
  expect(entries[0].request.wrap_ttl).toBe(60);
  expect(entries[1].response.data).toBeUndefined();
  expect(entries[1].response.wrap_info).toEqual({
    accessor: expect.stringMatching(/^hmac-sha256:/),
    creation_path: 'kv/held',
    creation_time: expect.any(String),
    token: expect.stringMatching(/^hmac-sha256:/),
    ttl: 60,
  });
  expect(entries[3].response.data).toEqual({ key: hash });
});

it('refusals are logged', async () => {
  const entries = await audited('refusals', async () => {
    await api().as('not-a-token').get('kv/x');
    await api().get('nowhere/x');
    await api().put('sys/mounts/kv', { type: 'nothing-such' });
    await api().get('kv/missing');
  });
  const shown = entries.map(
    ({ type, error, auth }) => [type, error, auth.policy_results?.allowed] as unknown,
  );
  const invalidToken = collected('permission denied', 'invalid token');
  expect(shown).toEqual([
    ['request', invalidToken, undefined],
    ['response', invalidToken, undefined],
    ['request', undefined, true],
    ['response', 'no handler for route "nowhere/x". route entry not found.', true],
    ['request', undefined, true],
    ['response', collected('invalid request'), true],
    ['request', undefined, true],
    ['response', undefined, true],
  ]);
  // The error is hashed, because a handler's error may quote the request.
  expect(entries[5].response.data.error).toMatch(/^hmac-sha256:/);
});

it('entries say whether the policies allowed the request', async () => {
  const { body } = await api().post('auth/token/create', { policies: ['default'], num_uses: 5 });
  const poor = api().as(body.auth.client_token);
  const entries = await audited('denied', () => poor.get('kv/x'));
  expect(entries).toMatchObject([
    { type: 'request', error: collected('permission denied'), auth: { policy_results: { allowed: false } } },
    { type: 'response', error: collected('permission denied'), auth: { policy_results: { allowed: false } } },
  ]);
});

describe('the options of an audit device', () => {
  it('log_raw turns hashing off', async () => {
    const entries = await audited('raw', () => api().put('kv/x', { password: 'canary' }), {
      log_raw: true,
    });
    expect(entries[0].request).toMatchObject({ data: { password: 'canary' }, client_token: 'root' });
  });

  it('hmac_accessor=false leaves accessors unhashed', async () => {
    const { body } = await api().get('auth/token/lookup-self');
    const [request] = await audited('accessor', () => api().get('kv/x'), { hmac_accessor: 'false' });
    expect(request.auth.accessor).toBe(body.data.accessor);
    expect(request.request.client_token_accessor).toBe(body.data.accessor);
    expect(request.auth.client_token).toMatch(/^hmac-sha256:/);
  });

  it('elide_list_responses replaces lists by their length', async () => {
    await api().post('sys/mounts/many', { type: 'kv' });
    for (const name of ['a', 'b', 'c']) await api().put(`many/${name}`, { x: 1 });
    const list = () => api().list('many');
    const [, counted] = await audited('elided', list, { elide_list_responses: 'true' });
    expect(counted.response.data).toEqual({ keys: 3 });
    const [, listed] = await audited('listed', list);
    expect(listed.response.data.keys).toHaveLength(3);
    expect(listed.response.data.keys[0]).toMatch(/^hmac-sha256:/);
  });

  it('prefix is written before every line', async () => {
    await audited('prefixed', () => api().get('kv/x'), { prefix: '@cee: ' });
    for (const line of textOf('prefixed').trimEnd().split('\n')) expect(line).toMatch(/^@cee: \{/);
  });

  it('the option mode sets the permissions of the file', async () => {
    await audited('mode', () => api().get('kv/x'), { mode: '0640' });
    expect(statSync(file('mode')).mode & 0o777).toBe(0o640);
    await audited('default-mode', () => api().get('kv/x'));
    expect(statSync(file('default-mode')).mode & 0o777).toBe(0o600);
    writeFileSync(file('kept-mode'), '', { mode: 0o644 });
    await audited('kept-mode', () => api().get('kv/x'), { mode: '0000' });
    expect(statSync(file('kept-mode')).mode & 0o777).toBe(0o644);
  });
});

it("keys in the mount's tuning are not hashed", async () => {
  await api().post('sys/mounts/clear', {
    type: 'kv',
    config: { audit_non_hmac_request_keys: ['shown', 'both'], audit_non_hmac_response_keys: ['both'] },
  });
  const [request, , , response] = await audited('clear', async () => {
    await api().put('clear/x', { shown: 'a', both: ['b'], hidden: 'c' });
    await api().get('clear/x');
  });
  expect(request.request.data).toMatchObject({ shown: 'a', both: ['b'] });
  expect(request.request.data.hidden).toMatch(/^hmac-sha256:/);
  expect(response.response.data.both).toEqual(['b']);
  expect(response.response.data.shown).toMatch(/^hmac-sha256:/);
});

it('each device has its own salt', async () => {
  await api().put('sys/audit/twin', { type: 'file', options: { file_path: file('twin') } });
  const [here] = await audited('pair', () => api().put('kv/x', { password: 'canary' }));
  await api().delete('sys/audit/twin');
  const there = entriesOf('twin').find(({ request }) => request.id === here.request.id);
  expect(there.request.data.password).not.toBe(here.request.data.password);
});

it('a file that was moved away is created again', async () => {
  await api().put('sys/audit/rotated', { type: 'file', options: { file_path: file('rotated') } });
  renameSync(file('rotated'), file('rotated-before'));
  await api().get('kv/x');
  await api().delete('sys/audit/rotated');
  expect(entriesOf('rotated-before')).toHaveLength(2);
  expect(entriesOf('rotated').map(({ request }) => request.path as string)).toEqual([
    'kv/x',
    'kv/x',
    'sys/audit/rotated',
  ]);
});

describe('an audit device that cannot write', () => {
  /** Replaces the log file by a folder. */
  const block = (name: string) => {
    rmSync(file(name));
    mkdirSync(file(name));
  };
  const unblock = (name: string) => rmSync(file(name), { recursive: true });
  const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  afterAll(() => warnings.mockRestore());

  it('every request is blocked before it is handled', async () => {
    await api().put('sys/audit/only', { type: 'file', options: { file_path: file('only') } });
    block('only');
    const refused = [
      await api().put('kv/blocked', { x: 1 }),
      await api().as('not-a-token').get('kv/x'),
      await api().delete('sys/audit/only'),
      await api().get('sys/replication/performance/status', { token: undefined }),
    ];
    const inBullet = collected('internal error');
    expect(refused.map(({ status, body }) => [status, ...(body.errors as string[])])).toEqual([
      [500, inBullet],
      [500, inBullet],
      [500, inBullet],
      [500, 'internal error'],
    ]);
    // Requests that are not audited, such as health, are answered.
    expect((await api().get('sys/health')).status).toBe(200);
    expect(
      warnings.mock.calls.filter(([text]) => /^audit device only\/ cannot write/.test(String(text))),
    ).toHaveLength(1);
    unblock('only');
    expect((await api().get('kv/blocked')).status).toBe(404);
    expect((await api().delete('sys/audit/only')).status).toBe(204);
  });

  it('no request is blocked while another device can write', async () => {
    await api().put('sys/audit/bad', { type: 'file', options: { file_path: file('bad') } });
    await api().put('sys/audit/good', { type: 'file', options: { file_path: 'discard' } });
    block('bad');
    expect((await api().put('kv/x', { x: 1 })).status).toBe(204);
    unblock('bad');
    await api().delete('sys/audit/bad');
    await api().delete('sys/audit/good');
  });
});

it('a device is kept from one start to the next', async () => {
  const data = join(folder, 'data');
  const options = { dataFolder: data, auditFolder: folder };
  const first = await startTestEmulator(options);
  await first.api.put('sys/audit/kept', { type: 'file', options: { file_path: file('kept') } });
  const hash = (await first.api.put('sys/audit-hash/kept', { input: 'canary' })).body.data.hash;
  await first.emulator.close();
  const second = await startTestEmulator(options);
  expect((await second.api.put('sys/audit-hash/kept', { input: 'canary' })).body.data.hash).toBe(hash);
  await second.emulator.close();
  expect(entriesOf('kept').length).toBeGreaterThanOrEqual(5);
});

it('a device is replicated unless it is local', async () => {
  const set = await startSet();
  const discard = { type: 'file', options: { file_path: 'discard' } };
  await set.us.put('sys/audit/everywhere', discard);
  await set.us.put('sys/audit/us-only', { ...discard, local: true });
  await set.eu.put('sys/audit/eu-only', { ...discard, local: true });
  await set.eu.put('sys/audit/eu-lost', discard);
  const { primary, secondary } = await joinedPair(set);
  const paths = async (api: Api) => Object.keys((await api.get('sys/audit')).body.data as object);
  expect(await paths(primary)).toEqual(['everywhere/', 'us-only/']);
  expect(await paths(secondary)).toEqual(['eu-only/', 'everywhere/']);
  // A secondary forwards writes to the primary.
  await expectStatus(secondary.put('sys/audit/from-eu', discard), 204);
  await expectStatus(primary.delete('sys/audit/everywhere'), 204);
  expect(await paths(primary)).toEqual(['from-eu/', 'us-only/']);
  expect(await paths(secondary)).toEqual(['eu-only/', 'from-eu/']);
  await set.emulator.close();
});
