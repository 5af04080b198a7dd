import { type Emulator, type EmulatorOptions, startEmulator } from '../../../../src/emulator';
import { type Answer, Api } from '../../support/api';

export const calls = 'sys/replication/performance';
const password = 'correct horse';

/** Clusters `us`, `eu` and `ap`, with a client for each. */
export interface TestSet {
  readonly emulator: Emulator;
  /** The client with the root token `root`. The token ends when the cluster becomes a secondary. */
  readonly us: Api;
  readonly eu: Api;
  readonly ap: Api;
}

/** Starts three clusters that stay available after changes of mode. */
export async function startSet(options: EmulatorOptions = {}): Promise<TestSet> {
  const emulator = await startEmulator({
    clusters: { us: 0, eu: 0, ap: 0 },
    rootToken: 'root',
    unavailableMs: 0,
    ...options,
  });
  const api = (name: string) => new Api(emulator.clusters[name]?.address ?? '');
  return { emulator, us: api('us'), eu: api('eu'), ap: api('ap') };
}

/** Provides a new set for every test of a file, and closes it after the test. */
export function useSet(options: EmulatorOptions = {}): () => TestSet {
  let set: TestSet | undefined;
  beforeEach(async () => {
    set = await startSet(options);
  });
  afterEach(() => set?.emulator.close());
  return () => {
    if (set === undefined) throw new Error('the set runs while tests do');
    return set;
  };
}

/**
 * Creates a user who can log in to every cluster of a set, with a policy that allows everything.
 */
export async function addOperator(api: Api): Promise<void> {
  const rules = 'path "*" { capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"] }';
  await expectStatus(api.put('sys/policies/acl/operator', { policy: rules }), 204);
  await expectStatus(api.post('sys/auth/people', { type: 'userpass' }), 204);
  await expectStatus(api.post('auth/people/users/op', { password, token_policies: ['operator'] }), 204);
}

/** Returns a client of the same server with a login of the operator. */
export async function asOperator(api: Api): Promise<Api> {
  const login = await expectStatus(api.post('auth/people/login/op', { password }), 200);
  return api.as(login.body.auth.client_token as string);
}

/**
 * Returns a client of the same server with a root token. The token is generated with the unseal
 * key.
 */
export async function generateRoot(api: Api, key: string | undefined): Promise<Api> {
  const otp = 'o'.repeat(28);
  const { nonce } = (await expectStatus(api.put('sys/generate-root/attempt', { otp }), 200)).body;
  const done = await expectStatus(api.put('sys/generate-root/update', { key, nonce }), 200);
  const hidden = Buffer.from(done.body.encoded_token as string, 'base64');
  return api.as(Buffer.from(hidden.map((byte) => byte ^ otp.charCodeAt(0))).toString());
}

export async function enablePrimary(api: Api, body: object = {}): Promise<void> {
  await expectStatus(api.post(`${calls}/primary/enable`, body), 200);
}

/** @returns an activation token in the form of a JWT. */
export async function issueToken(primary: Api, id: string, body: object = {}): Promise<string> {
  const answer = await expectStatus(primary.post(`${calls}/primary/secondary-token`, { id, ...body }), 200);
  return answer.body.wrap_info.token as string;
}

/** Makes a cluster without replication a secondary. */
export async function join(primary: Api, secondary: Api, id: string): Promise<void> {
  const token = await issueToken(primary, id);
  await expectStatus(secondary.post(`${calls}/secondary/enable`, { token }), 200);
}

/**
 * Joins `eu` to `us`.
 *
 * @returns clients of both with logins of the operator.
 */
export async function joinedPair({ us, eu }: TestSet): Promise<{ primary: Api; secondary: Api }> {
  await addOperator(us);
  await enablePrimary(us);
  await join(us, eu, 'eu');
  return { primary: us, secondary: await asOperator(eu) };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the status has several shapes, and tests say which
export async function status(api: Api): Promise<any> {
  const answer = await expectStatus(api.as(undefined).get(`${calls}/status`), 200);
  return answer.body.data;
}

/**
 * Returns the answer of a request.
 *
 * @throws Error if its status is not the expected one
 */
export async function expectStatus(asked: Promise<Answer>, wanted: number): Promise<Answer> {
  const answer = await asked;
  expect([answer.status, answer.body?.errors]).toEqual([wanted, undefined]);
  return answer;
}
