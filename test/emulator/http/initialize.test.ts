import { newPgpPair } from '../../support/pgp';
import { startTestEmulator, type TestEmulator } from '../support/emulator';

let running: TestEmulator | undefined;

async function start(uninitialized: 'shamir' | 'auto'): Promise<TestEmulator['api']> {
  running = await startTestEmulator({ uninitialized, rootToken: 'first-root' });
  return running.api;
}

afterEach(() => running?.emulator.close());

test('a cluster that is not initialized reports it, and refuses all other requests', async () => {
  const api = await start('shamir');
  expect((await api.get('sys/init')).body).toEqual({ initialized: false });
  expect(await api.get('sys/health')).toMatchObject({
    status: 501,
    body: { initialized: false, sealed: true, standby: true },
  });
  expect((await api.get('sys/health?uninitcode=299')).status).toBe(299);
  expect((await api.get('sys/seal-status')).body).toMatchObject({
    type: 'shamir',
    initialized: false,
    sealed: true,
    t: 0,
    n: 0,
    recovery_seal: false,
  });
  expect(await api.put('sys/unseal', { key: 'ab' })).toMatchObject({
    status: 400,
    body: { errors: ['Vault is not initialized'] },
  });
  expect((await api.as('first-root').get('sys/mounts')).status).toBe(503);
});

test('a cluster is unsealed once the threshold of key shares is reached', async () => {
  const api = await start('shamir');
  const { body } = await api.put('sys/init', { secret_shares: 3, secret_threshold: 2 });
  const keys = body.keys as readonly string[];
  expect([body.root_token, keys.length, Buffer.from(body.keys_base64[2], 'base64').toString('hex')]).toEqual([
    'first-root',
    3,
    keys[2],
  ]);
  expect((await api.put('sys/init', {})).body).toEqual({ errors: ['Vault is already initialized'] });
  expect((await api.get('sys/health')).status).toBe(503);
  const unseal = async (key: string) => (await api.put('sys/unseal', { key })).body;
  expect(await unseal(keys[0]!)).toMatchObject({ sealed: true, progress: 1, t: 2, n: 3 });
  expect(await unseal(keys[0]!)).toMatchObject({ sealed: true, progress: 1 });
  expect(await unseal('abcd')).toEqual({ errors: ['Unseal failed, invalid key'] });
  expect(await unseal(keys[1]!)).toMatchObject({ sealed: true, progress: 1 });
  expect((await api.put('sys/unseal', { reset: true })).body).toMatchObject({ progress: 0 });
  await unseal(keys[2]!);
  expect(await unseal(body.keys_base64[1])).toMatchObject({ sealed: false, progress: 0 });
  expect((await api.as('first-root').get('sys/mounts')).status).toBe(200);
});

test('a cluster with PGP keys returns shares that only their owners can read', async () => {
  const api = await start('shamir');
  const pairs = await Promise.all(['ann', 'bob'].map(newPgpPair));
  const { body } = await api.put('sys/init', {
    secret_shares: 2,
    secret_threshold: 2,
    pgp_keys: pairs.map(({ publicKey }) => publicKey),
  });
  for (const [index, pair] of pairs.entries()) {
    const key = await pair.open(Buffer.from(body.keys_base64[index], 'base64'));
    await api.put('sys/unseal', { key });
  }
  expect((await api.get('sys/seal-status')).body).toMatchObject({ sealed: false });
});

test('a cluster with automatic unsealing returns recovery keys, and is unsealed at once', async () => {
  const api = await start('auto');
  expect((await api.put('sys/init', { secret_shares: 1, secret_threshold: 1 })).body).toEqual({
    errors: ['parameters secret_shares,secret_threshold not applicable to seal type awskms'],
  });
  const { body } = await api.put('sys/init', { recovery_shares: 3, recovery_threshold: 2 });
  expect([body.keys, body.recovery_keys.length]).toEqual([[], 3]);
  expect((await api.get('sys/seal-status')).body).toMatchObject({
    type: 'awskms',
    initialized: true,
    sealed: false,
    recovery_seal: true,
    t: 2,
    n: 3,
  });
});

test.each([
  [{}, 'shares must be at least one'],
  [{ secret_shares: 1 }, 'threshold must be at least one'],
  [{ secret_shares: 2, secret_threshold: 1 }, 'threshold must be greater than one for multiple shares'],
  [{ secret_shares: 2, secret_threshold: 3 }, 'threshold cannot be larger than shares'],
  [{ secret_shares: 256, secret_threshold: 3 }, 'shares must be less than 256'],
  [
    { secret_shares: 3, secret_threshold: 2, pgp_keys: ['a'] },
    'count mismatch between number of provided PGP keys and number of shares',
  ],
  [
    { secret_shares: 1, secret_threshold: 1, pgp_keys: ['bm8ga2V5'] },
    expect.stringContaining('error parsing given PGP key: ') as string,
  ],
])('%j is refused, and the cluster stays uninitialized', async (request, reason) => {
  const api = await start('shamir');
  const { status, body } = await api.put('sys/init', request);
  const text = typeof reason === 'string' ? `invalid seal configuration: ${reason}` : reason;
  expect({ status, body: body as unknown }).toEqual({ status: 400, body: { errors: [text] } });
  expect((await api.get('sys/init')).body).toEqual({ initialized: false });
});

test('an initialization with the parameters of the other seal is refused', async () => {
  const api = await start('shamir');
  expect((await api.put('sys/init', { recovery_shares: 1, recovery_threshold: 1 })).body).toEqual({
    errors: ['parameters recovery_shares,recovery_threshold not applicable to seal type shamir'],
  });
});
