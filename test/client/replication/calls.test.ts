import type { VaultClient } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { serve, type Reply } from '../support/server';

const OK: Reply = { json: envelope(null, { warnings: ['Vault will be unavailable'] }) };
const TOKEN = 'eyJ-canary-activation-token';
const ROOT = '/v1/sys/replication/performance';

type Calls = VaultClient['replication']['performance'];

const SENT: readonly [string, (calls: Calls) => Promise<unknown>, string, object | undefined][] = [
  ['enablePrimary', (calls) => calls.enablePrimary(), 'POST primary/enable', {}],
  [
    'enablePrimary with an address',
    (calls) => calls.enablePrimary({ primary_cluster_addr: 'https://lb:8201' }),
    'POST primary/enable',
    { primary_cluster_addr: 'https://lb:8201' },
  ],
  ['demotePrimary', (calls) => calls.demotePrimary(), 'POST primary/demote', {}],
  ['disablePrimary', (calls) => calls.disablePrimary(), 'POST primary/disable', {}],
  ['revokeSecondary', (calls) => calls.revokeSecondary('eu'), 'POST primary/revoke-secondary', { id: 'eu' }],
  [
    'writePathsFilter',
    (calls) => calls.writePathsFilter('eu', { mode: 'deny', paths: ['secret/'] }),
    'POST primary/paths-filter/eu',
    { mode: 'deny', paths: ['secret/'] },
  ],
  [
    'deletePathsFilter',
    (calls) => calls.deletePathsFilter('eu'),
    'DELETE primary/paths-filter/eu',
    undefined,
  ],
  [
    'enableSecondary',
    (calls) => calls.enableSecondary({ token: TOKEN, ca_file: '/etc/ca.pem' }),
    'POST secondary/enable',
    { token: TOKEN, ca_file: '/etc/ca.pem' },
  ],
  [
    'promoteSecondary',
    (calls) => calls.promoteSecondary({ force: true }),
    'POST secondary/promote',
    { force: true },
  ],
  ['disableSecondary', (calls) => calls.disableSecondary(), 'POST secondary/disable', {}],
  [
    'updatePrimary by a token',
    (calls) => calls.updatePrimary({ token: '', primary_api_addr: 'https://us:8200' }),
    'POST secondary/update-primary',
    { token: '', primary_api_addr: 'https://us:8200' },
  ],
  [
    'updatePrimary by addresses',
    (calls) => calls.updatePrimary({ update_primary_addrs: ['us:8201', 'us2:8201'] }),
    'POST secondary/update-primary',
    { update_primary_addrs: ['us:8201', 'us2:8201'] },
  ],
];

test.each(SENT)('the call is sent as %s', async (_, call, expected, body) => {
  const server = await serve(OK);
  expect(await call(connect(server).replication.performance)).toMatchObject({
    warnings: ['Vault will be unavailable'],
  });
  const [request] = server.requests;
  expect(`${request!.method} ${request!.url}`).toBe(expected.replace(' ', ` ${ROOT}/`));
  expect(request!.body === '' ? undefined : JSON.parse(request!.body)).toEqual(body);
});

describe('an activation token', () => {
  test('a wrapped token is returned with its TTL', async () => {
    const wrap_info = {
      token: TOKEN,
      accessor: 'accessor',
      ttl: 1800,
      creation_time: '2026-11-21T10:00:00Z',
      creation_path: 'sys/replication/performance/primary/secondary-token',
    };
    const server = await serve({ json: envelope(null, { wrap_info, request_id: '' }) });
    const { data } = await connect(server).replication.performance.secondaryToken({ id: 'eu', ttl: '5m' });
    expect(data).toEqual({
      kind: 'wrapped',
      token: TOKEN,
      accessor: 'accessor',
      ttl: 1800,
      creation_time: '2026-11-21T10:00:00Z',
    });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({ id: 'eu', ttl: '5m' });
  });

  test('an encrypted token is returned', async () => {
    const server = await serve({ json: envelope({ token: TOKEN }) });
    const { data } = await connect(server).replication.performance.secondaryToken({
      id: 'eu',
      secondary_public_key: 'a2V5',
    });
    expect(data).toEqual({ kind: 'encrypted', token: TOKEN });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({ id: 'eu', secondary_public_key: 'a2V5' });
  });

  test('an answer without a token is an error', async () => {
    const calls = connect(await serve({ json: envelope({}) })).replication.performance;
    const error = await failureOf(calls.secondaryToken({ id: 'eu' }));
    expect(error.code).toBe('unexpected_answer');
    expect(error.message).toContain('the answer holds no activation token');
  });

  test.each(['0', 0, '0s', '500ms', '-1m', 'soon'])(
    'a ttl of %j is refused before it is sent',
    async (ttl) => {
      const server = await serve(OK);
      const calls = connect(server).replication.performance;
      const error = await failureOf(calls.secondaryToken({ id: 'eu', ttl }));
      expect(error.code).toBe('invalid_request');
      expect(error.message).toMatch(
        /^activation token "eu": ttl .*; received .*; allowed: .*; write for example "30m"/,
      );
      expect(server.requests).toEqual([]);
    },
  );

  test.each(['', 'eu/1', '-eu', 'eu.', 'ä', 'e u'])('an id %j is refused before it is sent', async (id) => {
    const server = await serve(OK);
    const error = await failureOf(connect(server).replication.performance.secondaryToken({ id }));
    expect(error.code).toBe('invalid_request');
    expect(server.requests).toEqual([]);
  });
});

test('a token together with addresses is refused before it is sent, without showing the token', async () => {
  const server = await serve(OK);
  const fields = { token: TOKEN, update_primary_addrs: ['us:8201'] } as never;
  const error = await failureOf(connect(server).replication.performance.updatePrimary(fields));
  expect(error.code).toBe('invalid_request');
  expect(error.message).toBe(
    'change of the primary: update_primary_addrs conflicts with token; received ["us:8201"]; ' +
      'allowed: one of token and update_primary_addrs; remove one of them: use addresses if those of the primary ' +
      'have changed, or a token for a different primary',
  );
  expect(JSON.stringify(error)).not.toContain(TOKEN);
  expect(server.requests).toEqual([]);
});

describe('paths filters and dynamic filters', () => {
  test('a paths filter is read', async () => {
    const server = await serve({ json: envelope({ mode: 'deny', paths: ['secret/', 'team-a/'] }) });
    const response = await connect(server).replication.performance.readPathsFilter('eu');
    expect(response?.data).toEqual({ mode: 'deny', paths: ['secret/', 'team-a/'] });
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: `${ROOT}/primary/paths-filter/eu` });
  });

  test.each<[string, Reply]>([
    ['a 404', { status: 404, json: { errors: [] } }],
    ['an empty body', { status: 200, text: '' }],
    ['null', { json: envelope(null) }],
    ['an empty filter', { json: envelope({ mode: '', paths: null }) }],
  ])('the secondary has no filter: %s', async (_, reply) => {
    expect(await connect(await serve(reply)).replication.performance.readPathsFilter('eu')).toBeUndefined();
  });

  test.each([undefined, ''])('a write sends the paths and the mode %j', async (mode) => {
    const json = envelope({ mode, paths: ['secret/'] });
    const calls = connect(await serve({ json })).replication.performance;
    expect((await failureOf(calls.readPathsFilter('eu'))).code).toBe('unexpected_answer');
  });

  test('an id that would change the path is refused', async () => {
    const server = await serve(OK);
    const calls = connect(server).replication.performance;
    for (const call of [
      calls.readPathsFilter('eu/x'),
      calls.deletePathsFilter('a/b'),
      calls.primaryDynamicFilter(''),
    ]) {
      expect((await failureOf(call)).code).toBe('invalid_request');
    }
    expect(server.requests).toEqual([]);
  });

  test.each(['primary', 'secondary'] as const)('the dynamic filter is read on the %s', async (side) => {
    const data = { dynamic_filtered_mounts: ['secret/'], dynamic_filtered_namespaces: ['team-a/'] };
    const server = await serve({ json: envelope({ ...data, more: 1 }) });
    const calls = connect(server).replication.performance;
    const call = side === 'primary' ? calls.primaryDynamicFilter('eu') : calls.secondaryDynamicFilter('eu');
    expect((await call)?.data).toEqual(data);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: `${ROOT}/${side}/dynamic-filter/eu` });
  });

  test('a dynamic filter is undefined for an unknown id, and empty if it filters nothing', async () => {
    const nothing = { dynamic_filtered_mounts: null, dynamic_filtered_namespaces: null };
    const calls = connect(await serve([{ json: envelope(nothing) }, { status: 404, json: { errors: [] } }]))
      .replication.performance;
    expect((await calls.primaryDynamicFilter('eu'))?.data).toEqual({
      dynamic_filtered_mounts: [],
      dynamic_filtered_namespaces: [],
    });
    expect(await calls.primaryDynamicFilter('eu')).toBeUndefined();
  });
});

test('the public key is returned', async () => {
  const server = await serve({ json: envelope({ secondary_public_key: 'a2V5' }) });
  const { data } = await connect(server).replication.performance.generatePublicKey();
  expect(data).toEqual({ secondary_public_key: 'a2V5' });
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: `${ROOT}/secondary/generate-public-key` });
});

describe('repeated calls', () => {
  const lost: readonly Reply[] = ['drop', OK];
  const failed: readonly Reply[] = [{ status: 500, json: { errors: ['internal error'] } }, OK];
  const once: readonly [string, (calls: Calls) => Promise<unknown>][] = [
    ['enablePrimary', (calls) => calls.enablePrimary()],
    ['demotePrimary', (calls) => calls.demotePrimary()],
    ['disablePrimary', (calls) => calls.disablePrimary()],
    ['secondaryToken', (calls) => calls.secondaryToken({ id: 'eu' })],
    ['enableSecondary', (calls) => calls.enableSecondary({ token: TOKEN })],
    ['promoteSecondary', (calls) => calls.promoteSecondary()],
    ['disableSecondary', (calls) => calls.disableSecondary()],
    ['updatePrimary', (calls) => calls.updatePrimary({ token: TOKEN })],
  ];

  test.each(once)('the call %s is not repeated if it may have taken effect', async (_, call) => {
    for (const replies of [lost, failed]) {
      const server = await serve(replies);
      const error = await failureOf(call(connect(server).replication.performance));
      expect(error.mayHaveTakenEffect).toBe(true);
      expect(server.requests).toHaveLength(1);
    }
  });

  test('a change that certainly had no effect is repeated', async () => {
    const server = await serve([{ status: 503, json: { errors: ['Vault is sealed'] } }, OK]);
    await connect(server).replication.performance.enablePrimary();
    expect(server.requests).toHaveLength(2);
  });

  test.each<[string, (calls: Calls) => Promise<unknown>]>([
    ['revokeSecondary', (calls) => calls.revokeSecondary('eu')],
    ['writePathsFilter', (calls) => calls.writePathsFilter('eu', { paths: ['secret/'] })],
    ['deletePathsFilter', (calls) => calls.deletePathsFilter('eu')],
  ])('the call %s is repeated', async (_, call) => {
    const server = await serve(lost);
    await call(connect(server).replication.performance);
    expect(server.requests).toHaveLength(2);
  });
});

describe('refusals of activation tokens', () => {
  const REFUSED =
    '1 error occurred:\n\t* error response unwrapping secondary token; status code is 400, message is "400 Bad Request"\n\n';
  const NOT_REACHED =
    'error unwrapping secondary token: Post "https://us:8200/v1/sys/wrapping/unwrap": dial tcp 10.0.0.3:8200: i/o timeout';

  test.each([
    [REFUSED, 'activation_token_refused', 'issue a new one on the primary'],
    [NOT_REACHED, 'primary_not_reached', 'dial tcp 10.0.0.3:8200: i/o timeout'],
  ])('the refusal %j has its code and its advice', async (text, code, cure) => {
    const server = await serve({ status: 500, json: { errors: [text, `token ${TOKEN}`] } });
    const calls = connect(server).replication.performance;
    const fields = { token: TOKEN, primary_api_addr: 'https://us:8200' };
    const error = await failureOf(calls.enableSecondary(fields));
    expect(error).toMatchObject({ code, status: 500, mayHaveTakenEffect: false });
    expect(error.message).toContain(cure);
    expect(JSON.stringify([error, error.message])).not.toContain(TOKEN);
    expect(server.requests).toHaveLength(1);
  });

  test('the refusal of a promotion before all data has arrived has its own code', async () => {
    const text = 'replication is still catching up, try again later or provide the "force" argument';
    const server = await serve({ status: 503, json: { errors: [text] } });
    const error = await failureOf(connect(server).replication.performance.promoteSecondary());
    expect(error).toMatchObject({ code: 'catching_up', mayHaveTakenEffect: false, attempts: 1 });
  });
});
