import { timestamp } from '../../../../src/emulator/core/primitives/clock';
import { useNewEmulators } from '../../support/emulator';

const running = useNewEmulators();
const api = () => running().api;
const now = () => timestamp(running().emulator.clock.now());
const patch = (path: string, body: unknown) =>
  api().send('PATCH', path, { body, headers: { 'Content-Type': 'application/merge-patch+json' } });

beforeEach(async () => {
  // The clock is frozen, so that all versions have the same time.
  running().emulator.clock.freeze();
  await api().post('sys/mounts/kv', { type: 'kv', options: { version: '2' } });
});

describe('the data of a versioned secret', () => {
  it('a write creates a version; reads return the latest or the requested one', async () => {
    const first = {
      created_time: now(),
      custom_metadata: null,
      deletion_time: '',
      destroyed: false,
      version: 1,
    };
    expect((await api().put('kv/data/app', { data: { password: 'one' } })).body.data).toEqual(first);
    running().emulator.clock.advance(1000);
    const second = { ...first, created_time: now(), version: 2 };
    expect((await api().put('kv/data/app', { data: { password: 'two' } })).body.data).toEqual(second);

    expect((await api().get('kv/data/app')).body.data).toEqual({
      data: { password: 'two' },
      metadata: second,
    });
    expect((await api().get('kv/data/app?version=1')).body.data).toEqual({
      data: { password: 'one' },
      metadata: first,
    });
    expect((await api().get('kv/data/app?version=3')).body).toEqual({ errors: [] });
  });

  it('a deleted version is a 404 with its metadata', async () => {
    await api().put('kv/data/deleted', { data: { x: 1 } });
    expect((await api().delete('kv/data/deleted')).status).toBe(204);
    const { status, body } = await api().get('kv/data/deleted');
    expect(status).toBe(404);
    expect(body.data).toEqual({
      data: null,
      metadata: {
        created_time: now(),
        custom_metadata: null,
        deletion_time: now(),
        destroyed: false,
        version: 1,
      },
    });
  });

  it('a write without data is refused', async () => {
    const { status, body } = await api().put('kv/data/app', { password: 'x' });
    expect(status).toBe(400);
    expect(body).toEqual({ errors: ['no data provided'] });
  });

  it.each([
    [0, 200],
    [1, 400],
    ['0', 200],
    ['x', 400],
  ])('a write with cas %j to a new secret answers %i', async (cas, status) => {
    await api().delete('kv/metadata/cas');
    expect((await api().put('kv/data/cas', { data: { x: 1 }, options: { cas } })).status).toBe(status);
  });

  it('an invalid cas is refused with the reason', async () => {
    await api().put('kv/data/checked', { data: { x: 1 } });
    await api().put('kv/metadata/checked', { cas_required: true });
    expect((await api().put('kv/data/checked', { data: {} })).body.errors).toEqual([
      'check-and-set parameter required for this call',
    ]);
    expect((await api().put('kv/data/checked', { data: {}, options: { cas: 2 } })).body.errors).toEqual([
      'check-and-set parameter did not match the current version',
    ]);
    expect((await api().put('kv/data/checked', { data: {}, options: { cas: 1 } })).status).toBe(200);
  });

  it('a patch changes the latest version; without a version it is refused', async () => {
    await api().put('kv/data/patched', { data: { a: 1, b: { c: 2, d: 3 } } });
    expect((await patch('kv/data/patched', { data: { b: { c: null }, e: 4 } })).body.data.version).toBe(2);
    expect((await api().get('kv/data/patched')).body.data.data).toEqual({ a: 1, b: { d: 3 }, e: 4 });

    expect((await patch('kv/data/nowhere', { data: { a: 1 } })).status).toBe(404);
    await api().delete('kv/data/patched');
    const { status, body } = await patch('kv/data/patched', { data: { a: 1 } });
    expect(status).toBe(404);
    expect(body.data).toMatchObject({ version: 2, deletion_time: now() });
  });
});

describe('the versions of a secret', () => {
  beforeEach(async () => {
    await api().delete('kv/metadata/v');
    for (const n of [1, 2, 3]) await api().put('kv/data/v', { data: { n } });
  });
  const readable = async () =>
    (await Promise.all([1, 2, 3].map((n) => api().get(`kv/data/v?version=${n}`)))).map(
      ({ status }) => status,
    );

  it('versions are deleted and undeleted by number', async () => {
    expect((await api().put('kv/delete/v', { versions: [1, 3] })).status).toBe(204);
    expect(await readable()).toEqual([404, 200, 404]);
    expect((await api().put('kv/undelete/v', { versions: '3' })).status).toBe(204);
    expect(await readable()).toEqual([404, 200, 200]);
  });

  it('a destroyed version cannot be undeleted', async () => {
    expect((await api().put('kv/destroy/v', { versions: [2] })).status).toBe(204);
    await api().put('kv/undelete/v', { versions: [2] });
    expect(await readable()).toEqual([200, 404, 200]);
    expect((await api().get('kv/data/v?version=2')).body.data).toMatchObject({
      data: null,
      metadata: { destroyed: true },
    });
  });

  it.each([
    ['delete', 'No version number provided'],
    ['undelete', 'No version number provided'],
    ['destroy', 'no version number provided'],
  ])('a request without versions is refused for %s', async (verb, text) => {
    const { status, body } = await api().put(`kv/${verb}/v`, {});
    expect(status).toBe(400);
    expect(body).toEqual({ errors: [text] });
  });

  it('versions beyond the limit of the secret or the mount are removed', async () => {
    await api().put('kv/metadata/v', { max_versions: 2 });
    await api().put('kv/data/v', { data: { n: 4 } });
    const { data } = (await api().get('kv/metadata/v')).body;
    expect(Object.keys(data.versions)).toEqual(['3', '4']);
    expect(data).toMatchObject({ current_version: 4, oldest_version: 3, max_versions: 2 });
  });

  it('delete_version_after deletes versions automatically', async () => {
    await api().put('kv/metadata/v', { delete_version_after: '1h' });
    const written = await api().put('kv/data/v', { data: { n: 4 } });
    expect(written.body.data.deletion_time).toBe(timestamp(running().emulator.clock.now() + 3_600_000));
    expect((await api().get('kv/data/v')).status).toBe(200);
    running().emulator.clock.advance(3_600_000);
    expect((await api().get('kv/data/v')).status).toBe(404);
  });
});

describe('the metadata of a secret', () => {
  it('the metadata has all versions and settings', async () => {
    await api().put('kv/data/meta', { data: { x: 1 } });
    await api().put('kv/metadata/meta', { custom_metadata: { owner: 'ops' }, delete_version_after: '90m' });
    expect((await api().get('kv/metadata/meta')).body.data).toEqual({
      cas_required: false,
      created_time: now(),
      current_version: 1,
      custom_metadata: { owner: 'ops' },
      delete_version_after: '1h30m0s',
      max_versions: 0,
      oldest_version: 0,
      updated_time: now(),
      versions: { 1: { created_time: now(), deletion_time: '', destroyed: false } },
    });
    expect((await api().get('kv/data/meta')).body.data.metadata.custom_metadata).toEqual({ owner: 'ops' });
  });

  it('the metadata can be written before the first version', async () => {
    await api().put('kv/metadata/early', { max_versions: 5 });
    expect((await api().get('kv/metadata/early')).body.data).toMatchObject({
      current_version: 0,
      versions: {},
    });
    expect((await api().get('kv/data/early')).body).toEqual({ errors: [] });
  });

  it('custom metadata is patched key by key', async () => {
    await api().put('kv/metadata/patched', { custom_metadata: { a: '1', b: '2' } });
    expect((await patch('kv/metadata/patched', { custom_metadata: { a: null, c: '3' } })).status).toBe(204);
    expect((await api().get('kv/metadata/patched')).body.data.custom_metadata).toEqual({ b: '2', c: '3' });
    expect((await patch('kv/metadata/nowhere', { max_versions: 1 })).status).toBe(404);
  });

  it('a delete removes the secret with all versions', async () => {
    await api().put('kv/data/gone', { data: { x: 1 } });
    expect((await api().delete('kv/metadata/gone')).status).toBe(204);
    expect((await api().get('kv/data/gone')).body).toEqual({ errors: [] });
  });

  it('the list has all secrets, including deleted ones', async () => {
    await api().put('kv/data/list/a', { data: {} });
    await api().put('kv/data/list/b/c', { data: {} });
    await api().delete('kv/data/list/a');
    expect((await api().list('kv/metadata/list')).body.data).toEqual({ keys: ['a', 'b/'] });
    expect((await api().list('kv/metadata')).body.data.keys).toContain('list/');
    expect((await api().list('kv/metadata/nowhere')).status).toBe(404);
  });

  it.each([
    [{ '': 'x' }, 'length of key "" is 0 but must be 0 < len(key) <= 128'],
    [{ k: '' }, 'length of value for key "k" is 0 but must be 0 < len(value) <= 512'],
    [{ k: 'x'.repeat(513) }, 'length of value for key "k" is 513 but must be 0 < len(value) <= 512'],
    [{ k: 'a\u0007' }, 'value for key "k" contains unprintable characters'],
    [
      Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, 'v'])),
      'payload must contain at most 64 keys, provided 65',
    ],
  ])('custom metadata is refused %#', async (custom_metadata, problem) => {
    const { status, body } = await api().put('kv/metadata/refused', { custom_metadata });
    expect(status).toBe(400);
    expect(body.errors).toEqual([`1 error occurred:\n\t* custom_metadata validation failed: ${problem}\n\n`]);
  });
});

describe('the subkeys of a secret', () => {
  beforeEach(() => api().put('kv/data/deep', { data: { a: { b: { c: 1 } }, d: {}, e: 'x' } }));

  it.each([
    ['', { a: { b: { c: null } }, d: null, e: null }],
    ['?depth=1', { a: null, d: null, e: null }],
    ['?depth=2', { a: { b: null }, d: null, e: null }],
  ])('the structure of a secret is returned without the values %s', async (query, subkeys) => {
    expect((await api().get(`kv/subkeys/deep${query}`)).body.data.subkeys).toEqual(subkeys);
  });
});

describe('the settings of a mount', () => {
  beforeEach(() => api().post('sys/mounts/strict', { type: 'kv-v2' }));

  it('the settings start with the defaults', async () => {
    expect((await api().get('strict/config')).body.data).toEqual({
      cas_required: false,
      delete_version_after: '0s',
      max_versions: 0,
    });
  });

  it('the settings apply to all secrets', async () => {
    await api().put('strict/config', { max_versions: 1, cas_required: true, delete_version_after: '10s' });
    expect((await api().get('strict/config')).body.data).toEqual({
      cas_required: true,
      delete_version_after: '10s',
      max_versions: 1,
    });
    expect((await api().put('strict/data/a', { data: {} })).status).toBe(400);
    const written = await api().put('strict/data/a', { data: {}, options: { cas: 0 } });
    expect(written.body.data.deletion_time).toBe(timestamp(running().emulator.clock.now() + 10_000));
    const { body } = await api().put('strict/metadata/a', { cas_required: false });
    expect(body.warnings).toEqual([
      '"cas_required" set to false, but is mandated by backend config. This value will be ignored.',
    ]);
  });
});

it('a request for version 1 is answered with a hint to the right command', async () => {
  const { status, body } = await api().get('kv/app');
  expect(status).toBe(404);
  expect(body.warnings).toEqual([
    'Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints to use. ' +
      "If using the Vault CLI, use 'vault kv get' for this operation.",
  ]);
});
