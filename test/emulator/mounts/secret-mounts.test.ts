import { useNewEmulators } from '../support/emulator';

const running = useNewEmulators();
const api = () => running().api;

const kv = {
  accessor: expect.stringMatching(/^kv_[0-9a-f]{8}$/),
  config: { default_lease_ttl: 0, force_no_cache: false, max_lease_ttl: 0 },
  deprecation_status: 'supported',
  description: '',
  external_entropy_access: false,
  local: false,
  options: {},
  plugin_version: '',
  running_plugin_version: 'v1.21.0+builtin.vault',
  running_sha256: '',
  seal_wrap: false,
  type: 'kv',
  uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
};

it('the mounts of a new server are listed, also at the top level', async () => {
  const { body } = await api().get('sys/mounts');
  expect(Object.keys(body.data)).toEqual(['cubbyhole/', 'identity/', 'sys/']);
  expect(body.data['cubbyhole/']).toMatchObject({
    accessor: expect.stringMatching(/^cubbyhole_/),
    description: 'per-token private secret storage',
    local: true,
    options: null,
    seal_wrap: false,
    type: 'cubbyhole',
  });
  expect(body.data['sys/']).toMatchObject({
    config: { passthrough_request_headers: ['Accept'] },
    seal_wrap: true,
    type: 'system',
  });
  expect(body['sys/']).toEqual(body.data['sys/']);
});

it('an engine is enabled, shown and disabled', async () => {
  expect((await api().post('sys/mounts/team/secrets', { type: 'kv' })).status).toBe(204);
  expect((await api().get('sys/mounts/team/secrets')).body.data).toEqual(kv);
  expect((await api().get('sys/mounts')).body.data['team/secrets/']).toEqual(kv);

  await api().put('team/secrets/a', { x: 1 });
  expect((await api().delete('sys/mounts/team/secrets')).status).toBe(204);
  expect((await api().delete('sys/mounts/team/secrets')).status).toBe(204);
  expect((await api().get('team/secrets/a')).status).toBe(404);
  await api().post('sys/mounts/team/secrets', { type: 'kv' });
  expect((await api().get('team/secrets/a')).status).toBe(404);
});

it.each([
  ['kv-v1', { version: '1' }],
  ['kv-v2', { version: '2' }],
])('the type %s becomes the type kv with the option version', async (type, options) => {
  await api().post(`sys/mounts/${type}`, { type });
  expect((await api().get(`sys/mounts/${type}`)).body.data).toMatchObject({ type: 'kv', options });
});

it('all settings are accepted; list settings may be arrays or texts', async () => {
  await api().post('sys/mounts/settings', {
    type: 'pki',
    description: 'certificates',
    local: true,
    seal_wrap: 'true',
    external_entropy_access: true,
    config: {
      default_lease_ttl: '1h',
      max_lease_ttl: 7200,
      force_no_cache: true,
      listing_visibility: 'unauth',
      allowed_managed_keys: ['one', 'two'],
      passthrough_request_headers: 'X-A, X-B',
      allowed_response_headers: [],
      audit_non_hmac_request_keys: 'a',
    },
  });
  expect((await api().get('sys/mounts/settings')).body.data).toEqual({
    ...kv,
    accessor: expect.stringMatching(/^pki_/),
    config: {
      allowed_managed_keys: ['one', 'two'],
      audit_non_hmac_request_keys: ['a'],
      default_lease_ttl: 3600,
      force_no_cache: true,
      listing_visibility: 'unauth',
      max_lease_ttl: 7200,
      passthrough_request_headers: ['X-A', 'X-B'],
    },
    description: 'certificates',
    external_entropy_access: true,
    local: true,
    seal_wrap: true,
    type: 'pki',
  });
});

it.each([
  [{}, 'backend type must be specified as a string'],
  [{ type: 'nope' }, 'plugin not found in the catalog: nope'],
  [{ type: 'plugin' }, 'plugin_name must be provided for plugin backend'],
  [{ type: 'cubbyhole' }, 'mount type of "cubbyhole" is not mountable'],
  [{ type: 'pki', options: { version: '2' } }, 'secrets engine "pki" does not allow setting a version'],
  [
    { type: 'kv', config: { default_lease_ttl: '2h', max_lease_ttl: '1h' } },
    'given default lease TTL greater than given max lease TTL',
  ],
  [
    { type: 'kv', config: { default_lease_ttl: '1000h' } },
    'given default lease TTL greater than system max lease TTL of 2764800',
  ],
  [{ type: 'kv', config: { listing_visibility: 'seen' } }, 'invalid listing_visibility seen'],
  [{ type: 'kv', config: { force_no_cache: 'maybe' } }, 'unable to convert given mount config information'],
])('an engine with %j is refused', async (request, text) => {
  const { status, body } = await api().post('sys/mounts/refused', request);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [text] });
  expect((await api().get('sys/mounts/refused')).body).toEqual({
    errors: ['No secret engine mount at refused/'],
  });
});

it('a value that is not a TTL is refused', async () => {
  const { body } = await api().post('sys/mounts/refused', { type: 'kv', config: { max_lease_ttl: 'soon' } });
  expect(body.errors).toEqual([expect.stringMatching(/^unable to parse max TTL of soon: /)]);
});

it.each([
  ['taken', 'path is already in use at taken/'],
  ['taken/below', 'path is already in use at taken/'],
  ['sys', 'cannot mount "sys/"'],
  ['auth/x', 'cannot mount "auth/x/"'],
  ['cubbyhole/x', 'cannot mount "cubbyhole/x/"'],
])('the path %s is refused', async (path, text) => {
  await api().post('sys/mounts/taken', { type: 'kv' });
  const { status, body } = await api().post(`sys/mounts/${path}`, { type: 'kv' });
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [text] });
});

it('a path above another mount is refused', async () => {
  await api().post('sys/mounts/above/below', { type: 'kv' });
  const { body } = await api().post('sys/mounts/above', { type: 'kv' });
  expect(body).toEqual({ errors: ['path is already in use at above/below/'] });
});

it.each(['sys', 'cubbyhole', 'identity'])('the mount %s cannot be disabled', async (path) => {
  const { status, body } = await api().delete(`sys/mounts/${path}`);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [`cannot unmount "${path}/"`] });
});

it('engines that are not emulated can be mounted, and have no paths', async () => {
  await api().post('sys/mounts/transit', { type: 'transit' });
  expect((await api().get('transit/keys/a')).status).toBe(404);
});

it('each namespace has its own mounts', async () => {
  await api().post('sys/namespaces/team');
  await api().post('sys/mounts/inside', { type: 'kv' }, { namespace: 'team' });
  const { data } = (await api().get('sys/mounts', { namespace: 'team' })).body;
  expect(data).toEqual({
    'cubbyhole/': expect.objectContaining({ type: 'ns_cubbyhole' }),
    'identity/': expect.objectContaining({ type: 'ns_identity' }),
    'inside/': expect.objectContaining({ type: 'kv' }),
    'sys/': expect.objectContaining({ type: 'ns_system' }),
  });
  expect((await api().get('sys/mounts/inside')).status).toBe(400);
  await api().put('inside/a', { x: 1 }, { namespace: 'team' });
  expect((await api().get('team/inside/a')).body.data).toEqual({ x: 1 });
});
