import { useNewEmulators } from '../support/emulator';

const running = useNewEmulators();
const api = () => running().api;

beforeEach(async () => {
  await api().post('sys/mounts/kv', { type: 'kv', options: { version: '1' } });
  await api().post('sys/auth/people', { type: 'userpass' });
});

it('a read shows the effective TTLs, with the defaults of the server', async () => {
  expect((await api().get('sys/mounts/kv/tune')).body.data).toEqual({
    default_lease_ttl: 2764800,
    description: '',
    force_no_cache: false,
    max_lease_ttl: 2764800,
    options: { version: '1' },
  });
  const expected = {
    default_lease_ttl: 2764800,
    description: '',
    force_no_cache: false,
    max_lease_ttl: 2764800,
    token_type: 'default-service',
  };
  for (const path of ['sys/auth/people/tune', 'sys/mounts/auth/people/tune'])
    expect((await api().get(path)).body.data).toEqual(expected);
});

it('a write changes only the sent settings', async () => {
  await api().post('sys/mounts/kv/tune', {
    default_lease_ttl: '1h',
    max_lease_ttl: '2h',
    description: 'mine',
  });
  await api().post('sys/mounts/kv/tune', { allowed_managed_keys: 'a,b', default_lease_ttl: '' });
  expect((await api().get('sys/mounts/kv/tune')).body.data).toMatchObject({
    allowed_managed_keys: ['a', 'b'],
    default_lease_ttl: 3600,
    description: 'mine',
    max_lease_ttl: 7200,
  });

  await api().post('sys/mounts/kv/tune', {
    allowed_managed_keys: [],
    default_lease_ttl: 'system',
    description: '',
  });
  const { data } = (await api().get('sys/mounts/kv')).body;
  expect(data).toMatchObject({ config: { default_lease_ttl: 0, max_lease_ttl: 7200 }, description: '' });
  expect(data.config).not.toHaveProperty('allowed_managed_keys');
});

it('a write does not change the content of the mount', async () => {
  await api().put('kv/a', { x: 1 });
  await api().post('sys/mounts/kv/tune', { description: 'again' });
  expect((await api().get('kv/a')).body.data).toEqual({ x: 1 });
});

it.each([
  [
    'mounts/kv',
    { default_lease_ttl: '3h', max_lease_ttl: '2h' },
    'backend max lease TTL of 7200 would be less than backend default lease TTL of 10800',
  ],
  ['mounts/kv', { listing_visibility: 'seen' }, 'invalid listing_visibility seen'],
  ['mounts/kv', { token_type: 'batch' }, "'token_type' can only be modified on auth mounts"],
  ['auth/token', { token_type: 'batch' }, "'token_type' cannot be set for 'token' or 'ns_token' auth mounts"],
  ['auth/people', { token_type: 'durable' }, "invalid value for 'token_type'"],
  ['mounts/kv', { options: { version: '3' } }, 'invalid version provided: 3'],
  ['mounts/cubbyhole', { description: 'x' }, 'cannot tune parameter description of cubbyhole/'],
  ['mounts/nowhere', { description: 'x' }, 'tune of path "nowhere/" failed: no mount entry found'],
])('the tuning of %s refuses %j', async (mount, request, text) => {
  const { status, body } = await api().post(`sys/${mount}/tune`, request);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [text] });
});

it('the tuning of a missing mount cannot be read', async () => {
  const { status, body } = await api().get('sys/mounts/nowhere/tune');
  expect(status).toBe(400);
  expect(body).toEqual({ errors: ['cannot fetch sysview for path "nowhere/"'] });
});

it('the audit settings of a mount can be tuned, also if its other settings cannot', async () => {
  expect((await api().post('sys/mounts/sys/tune', { audit_non_hmac_request_keys: 'a' })).status).toBe(204);
  expect((await api().get('sys/mounts/sys/tune')).body.data.audit_non_hmac_request_keys).toEqual(['a']);
});
