import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();
const attempt = 'sys/generate-root/attempt';
const update = 'sys/generate-root/update';
const idle = {
  nonce: '',
  started: false,
  progress: 0,
  required: 1,
  complete: false,
  encoded_token: '',
  encoded_root_token: '',
  pgp_fingerprint: '',
  otp: '',
  otp_length: 28,
};

function reveal(encoded: string, otp: string): string {
  const hidden = Buffer.from(encoded, 'base64');
  return Buffer.from(hidden.map((byte, index) => byte ^ (Buffer.from(otp)[index] ?? 0))).toString();
}

it('a root token is generated with the unseal key', async () => {
  const { api, emulator } = use();
  const anybody = api.as(undefined);
  expect((await anybody.get(attempt)).body).toEqual(idle);
  const { body: started } = await anybody.put(attempt);
  expect(started).toEqual({
    ...idle,
    started: true,
    nonce: expect.any(String) as string,
    otp: expect.stringMatching(/^\w{28}$/) as string,
  });
  expect((await anybody.get(attempt)).body).toEqual({ ...started, otp: '' });
  expect((await anybody.put(attempt)).body).toEqual({ errors: ['root generation already in progress'] });
  const key = emulator.clusters.default?.unsealKey;
  const { body: done } = await anybody.put(update, { key, nonce: started.nonce });
  expect(done).toMatchObject({ complete: true, progress: 1, started: true, nonce: started.nonce });
  const token = reveal(done.encoded_token as string, started.otp as string);
  const { body: lookup } = await api.as(token).get('auth/token/lookup-self');
  expect(lookup.data).toMatchObject({ policies: ['root'], ttl: 0, orphan: true });
  expect((await anybody.get(attempt)).body).toEqual(idle);
});

it('a root token of a cluster with several key shares is generated with as many shares as unseal the cluster', async () => {
  const { emulator, api } = await startTestEmulator({ uninitialized: 'shamir' });
  const { body } = await api.put('sys/init', { secret_shares: 3, secret_threshold: 2 });
  const shares = body.keys_base64 as readonly string[];
  for (const key of shares.slice(0, 2)) await api.put('sys/unseal', { key });
  const { nonce, otp } = (await api.put(attempt)).body as { nonce: string; otp: string };
  const give = async (key: string) => (await api.put(update, { key, nonce })).body;

  expect(await give(shares[0]!)).toMatchObject({ progress: 1, required: 2, complete: false });
  expect(await give(shares[0]!)).toMatchObject({ progress: 1 });
  expect(await give(emulator.clusters.default!.unsealKey)).toEqual({
    errors: ['root generation aborted: invalid key'],
  });
  expect((await api.get(attempt)).body).toMatchObject({ started: true, progress: 0, required: 2 });
  await give(shares[2]!);
  const done = await give(shares[1]!);
  expect(done).toMatchObject({ progress: 2, required: 2, complete: true, started: true });
  const token = reveal(done.encoded_token as string, otp);
  expect((await api.as(token).get('auth/token/lookup-self')).body.data).toMatchObject({
    policies: ['root'],
  });
});

it('a one-time password needs the right length, and an attempt can be cancelled', async () => {
  const { api } = use();
  expect((await api.put(attempt, { otp: 'short' })).body).toEqual({ errors: ['OTP string is wrong length'] });
  const { body } = await api.put(attempt, { otp: 'o'.repeat(28) });
  expect(body).toMatchObject({ started: true, otp: '' });
  expect((await api.delete(attempt)).status).toBe(204);
  expect((await api.get(attempt)).body).toEqual(idle);
});

it.each([
  [{}, "'key' must be specified in request body as JSON"],
  [{ key: 'x', nonce: 'y' }, 'no root generation in progress'],
])('an attempt cannot continue with %j', async (body, text) => {
  const answer = await use().api.put(update, body);
  expect([answer.status, answer.body.errors]).toEqual([400, [text]]);
});

it('another nonce, another key and a PGP key are refused', async () => {
  const { api } = use();
  const { nonce } = (await api.put(attempt)).body;
  expect((await api.put(update, { key: 'x', nonce: 'other' })).body.errors).toEqual([
    `incorrect nonce supplied; nonce for this root generation operation is "${nonce}"`,
  ]);
  expect((await api.put(update, { key: 'x', nonce })).body.errors).toEqual([
    'root generation aborted: invalid key',
  ]);
  await api.delete(attempt);
  expect((await api.put(attempt, { pgp_key: 'x' })).body.errors).toEqual([
    'pgp_key is not supported by the emulator: use an otp',
  ]);
});

it('the calls require a token from 2.0 on', async () => {
  const { emulator, api } = await startTestEmulator({ serverVersion: '2.0.0+ent' });
  for (const anybody of [api.as(undefined), api.as('wrong')]) {
    expect((await anybody.get(attempt)).status).toBe(403);
    expect((await anybody.put(attempt)).status).toBe(403);
    expect(
      (await anybody.put(update, { key: emulator.clusters.default!.unsealKey, nonce: 'x' })).status,
    ).toBe(403);
    expect((await anybody.delete(attempt)).status).toBe(403);
  }
  const { body: created } = await api.post('auth/token/create', { policies: ['default'] });
  expect((await api.as(created.auth.client_token as string).put(attempt)).status).toBe(403);
  expect((await api.put(attempt)).body).toMatchObject({ started: true });
  expect((await api.delete(attempt)).status).toBe(204);
});
