import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

test("a lookup returns the token's properties", async () => {
  const data = { id: 'hvs.test', accessor: 'acc', ttl: 60, policies: ['root'], renewable: false };
  const server = await serve({ json: envelope(data) });
  expect((await connect(server).token.lookupSelf()).data).toEqual(data);
  expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/auth/token/lookup-self' });
});

test('a refused lookup, and an answer of another kind of server, are errors', async () => {
  const refused = await serve({ status: 403, json: { errors: ['permission denied', 'invalid token'] } });
  expect((await failureOf(connect(refused).token.lookupSelf())).code).toBe('invalid_token');
  const strange = await serve({ json: envelope({}) });
  expect((await failureOf(connect(strange).token.lookupSelf())).code).toBe('unexpected_answer');
});

test('a renewal returns the token', async () => {
  const auth = {
    client_token: 'hvs.test',
    accessor: 'acc',
    lease_duration: 600,
    renewable: true,
    policies: [],
  };
  const server = await serve({ json: envelope(null, { auth }) });
  const { token } = connect(server);
  expect(await token.renewSelf(600)).toEqual({
    token: 'hvs.test',
    accessor: 'acc',
    ttl: 600,
    renewable: true,
    policies: [],
    metadata: {},
  });
  await token.renewSelf();
  expect(server.requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
    { method: 'POST', url: '/v1/auth/token/renew-self', body: '{"increment":600}' },
    { method: 'POST', url: '/v1/auth/token/renew-self', body: '{}' },
  ]);
  const strange = await serve({ status: 204 });
  expect((await failureOf(connect(strange).token.renewSelf())).code).toBe('unexpected_answer');
});

test('a revocation is sent without parameters', async () => {
  const server = await serve({ status: 204 });
  expect(await connect(server).token.revokeSelf()).toBeUndefined();
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/auth/token/revoke-self', body: '' });
});
