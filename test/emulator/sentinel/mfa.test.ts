/** TOTP methods, and policies that require them. */
import { createHmac } from 'node:crypto';
import { useEmulator } from '../support/emulator';
import type { Api } from '../support/api';

const use = useEmulator();
/** A time in the middle of a TOTP period. */
const NOW = 1_800_000_015_000;

let ann: Api;
let entityId: string;

beforeAll(async () => {
  const { emulator, api } = use();
  emulator.clock.freeze();
  emulator.clock.advance(NOW - emulator.clock.now());
  await api.put('sys/policies/acl/everything', {
    policy: 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }',
  });
  await api.post('sys/mounts/kv', { type: 'kv', options: { version: '1' } });
  await api.put('kv/app', { a: 1 });
  await api.post('sys/auth/userpass', { type: 'userpass' });
  await api.put('auth/userpass/users/ann', { password: 'pw', token_policies: 'everything' });
  const { auth } = (await api.post('auth/userpass/login/ann', { password: 'pw' })).body;
  ann = api.as(auth.client_token as string);
  entityId = auth.entity_id as string;
});

// Each test has its own method, because the keys, used passcodes and wrong attempts belong to the
// method.
beforeEach(() => use().api.put('sys/mfa/method/totp/phone', { issuer: 'Example Org', period: '30s' }));
afterEach(() => use().api.delete('sys/mfa/method/totp/phone'));

/** Returns a function that computes passcodes from a URL, as an authenticator app does. */
function appOf(url: string): (now: number) => string {
  const { searchParams } = new URL(url);
  const bits = [...searchParams.get('secret')!]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  return (now) => {
    const counter = Buffer.alloc(8);
    counter.writeUInt32BE(Math.floor(now / 1000 / Number(searchParams.get('period'))), 4);
    const hash = createHmac(searchParams.get('algorithm')!, key).update(counter).digest();
    const code =
      (hash.readUInt32BE(hash.at(-1)! & 15) & 0x7fffffff) % 10 ** Number(searchParams.get('digits'));
    return String(code).padStart(Number(searchParams.get('digits')), '0');
  };
}

const MFA = (header: string) => ({ headers: { 'X-Vault-MFA': header } });

test('a method is written, read and deleted', async () => {
  const { api } = use();
  const path = 'sys/mfa/method/totp/spare';
  expect((await api.put(path, { issuer: 'Org', algorithm: 'SHA256', digits: 8, skew: 0 })).status).toBe(204);
  const { data } = (await api.get(path)).body;
  expect(data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'spare',
    type: 'totp',
    issuer: 'Org',
    period: 30,
    key_size: 20,
    qr_size: 200,
    algorithm: 'SHA256',
    digits: 8,
    skew: 0,
    max_validation_attempts: 5,
  });
  await api.put(path, { issuer: 'Other' });
  expect((await api.get(path)).body.data).toMatchObject({ id: data.id, issuer: 'Other', digits: 6 });
  expect((await api.put(path, { issuer: 'Org', digits: 7 })).status).toBe(400);
  expect((await api.put(path, {})).status).toBe(400);
  expect((await api.put(path, { issuer: 'Org' }, { namespace: 'no-such' })).status).toBe(404);
  expect((await api.delete(path)).status).toBe(204);
  expect((await api.get(path)).status).toBe(404);
  expect((await api.get(`${path}/generate`)).body.errors).toEqual(['MFA method "spare" not found']);
});

test('the key of an entity is generated once, by the entity itself or by an administrator', async () => {
  const { api } = use();
  expect((await api.get('sys/mfa/method/totp/phone/generate')).body.errors).toEqual(['invalid entity ID']);
  const { url } = (await ann.get('sys/mfa/method/totp/phone/generate')).body.data;
  expect(url).toMatch(
    new RegExp(
      `^otpauth://totp/Example%20Org:${entityId}\\?algorithm=SHA1&digits=6&issuer=Example\\+Org&period=30&secret=[A-Z2-7]{32}$`,
    ),
  );
  const again = await api.put('sys/mfa/method/totp/phone/admin-generate', { entity_id: entityId });
  expect(again.body).toMatchObject({
    data: null,
    warnings: ['Entity already has a secret for MFA method "phone"'],
  });
  await api.put('sys/mfa/method/totp/phone/admin-destroy', { entity_id: entityId });
  const renewed = await api.put('sys/mfa/method/totp/phone/admin-generate', { entity_id: entityId });
  expect(renewed.body.data.url).not.toBe(url);
});

describe('a policy that requires an MFA method', () => {
  let app: (now: number) => string;
  beforeEach(async () => {
    app = appOf((await ann.get('sys/mfa/method/totp/phone/generate')).body.data.url as string);
  });
  beforeAll(async () => {
    const { api } = use();
    for (const [name, text] of Object.entries({
      mfa: 'import "mfa"\nmain = rule { mfa.methods.phone.valid }',
      // This second policy shows that one passcode suffices for all policies of a request.
      'mfa-too': 'main = rule { mfa.methods["phone"].valid and mfa.methods.phone.type is "totp" }',
    })) {
      await api.put(`sys/policies/egp/${name}`, {
        policy: text,
        paths: ['kv/*', 'auth/userpass/login/*'],
        enforcement_level: 'hard-mandatory',
      });
    }
  });
  afterAll(async () => {
    for (const name of ['mfa', 'mfa-too']) await use().api.delete(`sys/policies/egp/${name}`);
  });

  const status = async (header?: string) => (await ann.get('kv/app', header ? MFA(header) : {})).status;

  it('such a policy allows a request with a passcode, once', async () => {
    const { emulator } = use();
    const passcode = app(emulator.clock.now());
    expect(await status()).toBe(403);
    expect(await status('phone')).toBe(403);
    expect(await status(`phone:${passcode}0`)).toBe(403);
    expect(await status(`other:${passcode}`)).toBe(403);
    expect(await status(`phone:${passcode}, phone:${passcode}`)).toBe(403);
    expect(await status(`other, phone:${passcode}`)).toBe(200);
    expect(await status(`phone:${passcode}`)).toBe(403);
  });

  it('such a policy accepts the passcodes of the present and the adjacent periods, and no others', async () => {
    const { emulator } = use();
    const shifts = [-60_000, -30_000, 0, 30_000, 60_000];
    // The codes must all differ, because passcodes of different periods may be equal by chance.
    const codes = () => shifts.map((shift) => app(emulator.clock.now() + shift));
    do emulator.clock.advance(300_000);
    while (new Set(codes()).size < shifts.length);
    const statuses: number[] = [];
    for (const code of codes()) statuses.push(await status(`phone:${code}`));
    expect(statuses).toEqual([403, 200, 200, 200, 403]);
  });

  it('such a policy accepts no passcode for one period after too many wrong ones', async () => {
    const { emulator } = use();
    emulator.clock.advance(300_000);
    const right = () => app(emulator.clock.now());
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await status('phone:abcdef')).toBe(403);
    expect(await status(`phone:${right()}`)).toBe(200);
    emulator.clock.advance(300_000);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await status('phone:abcdef')).toBe(403);
    expect(await status(`phone:${right()}`)).toBe(403);
    emulator.clock.advance(29_999);
    expect(await status(`phone:${right()}`)).toBe(403);
    emulator.clock.advance(1);
    expect(await status(`phone:${right()}`)).toBe(200);
  });

  it("a policy that requires MFA refuses a passcode of another entity's key", async () => {
    const { emulator, api } = use();
    emulator.clock.advance(300_000);
    await api.put('auth/userpass/users/bob', { password: 'pw', token_policies: 'everything' });
    const { body } = await api.put('identity/entity', { name: 'bob' });
    const { accessor } = (await api.get('sys/auth')).body.data['userpass/'];
    await api.put('identity/entity-alias', {
      name: 'bob',
      canonical_id: body.data.id,
      mount_accessor: accessor,
    });
    const login = (header: string) =>
      api.as(undefined).post('auth/userpass/login/bob', { password: 'pw' }, MFA(header));
    const passcode = app(emulator.clock.now());
    expect((await login(`phone:${passcode}`)).status).toBe(400);
    const { data } = (await api.put('sys/mfa/method/totp/phone/admin-generate', { entity_id: body.data.id }))
      .body;
    const own = appOf(data.url as string)(emulator.clock.now());
    expect((await login(`phone:${own}`)).status).toBe(200);
    // A token without an entity has no TOTP keys.
    const plain = (await api.post('auth/token/create', { policies: ['everything'] })).body.auth.client_token;
    expect((await api.as(plain as string).get('kv/app', MFA(`phone:${passcode}`))).status).toBe(403);
    expect((await ann.get('kv/app', MFA(`phone:${passcode}`))).status).toBe(200);
  });

  it('the trace of such a policy contains the reason of the refusal, and not the passcode', async () => {
    const { body } = await ann.get('kv/app', MFA('phone:abcdef'));
    expect(body.errors[0]).toContain('Rule "main" (root/mfa:2:1) = false');
    expect(body.errors[0]).not.toContain('abcdef');
  });

  it('such a policy does not use up the passcode for requests that it does not govern', async () => {
    const { emulator } = use();
    emulator.clock.advance(300_000);
    const passcode = app(emulator.clock.now());
    expect((await ann.get('auth/token/lookup-self', MFA(`phone:${passcode}`))).status).toBe(200);
    expect(await status(`phone:${passcode}`)).toBe(200);
  });

  it('such a policy denies requests after the method was deleted, because it reads undefined', async () => {
    const { api } = use();
    await api.delete('sys/mfa/method/totp/phone');
    expect((await ann.get('kv/app', MFA('phone:abcdef'))).status).toBe(403);
  });
});

test.each([
  [':123456', 'it names no method'],
  ['phone:', 'the value of a method is empty'],
])('the header %j is refused', async (header, reason) => {
  const answer = await use().api.get('sys/mounts', MFA(header));
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [`failed to parse X-Vault-MFA header: ${reason}`],
  ]);
});
