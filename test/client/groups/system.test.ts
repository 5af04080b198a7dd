import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

const STATE = { initialized: true, sealed: true, standby: false, version: '1.17.0+ent' };

test('the health is returned in every state, without token and namespace', async () => {
  const server = await serve({ json: STATE });
  const response = await connect(server, { namespace: 'team' }).system.health();
  expect(response.data).toEqual(STATE);
  const { url, headers } = server.requests[0]!;
  const parameters = [
    'activecode',
    'standbycode',
    'drsecondarycode',
    'performancestandbycode',
    'sealedcode',
    'uninitcode',
    'haunhealthycode',
    'removedcode',
  ];
  expect(url).toBe(`/v1/sys/health?${parameters.map((name) => `${name}=200`).join('&')}`);
  expect(headers).not.toHaveProperty('x-vault-token');
  expect(headers).not.toHaveProperty('x-vault-namespace');
});

test.each(['sealed', 'version'] as const)('a health answer without %s is refused', async (name) => {
  const server = await serve({ json: { ...STATE, [name]: undefined } });
  const failure = await failureOf(connect(server).system.health());
  expect(failure.message).toContain('the answer holds no state of a node');
});

test('the seal status is read', async () => {
  const server = await serve({ json: STATE });
  expect((await connect(server).system.sealStatus()).data).toEqual(STATE);
  expect(server.requests[0]?.url).toBe('/v1/sys/seal-status');
});

test('the health of a server that is not Vault is refused', async () => {
  const server = await serve({ json: { status: 'up' } });
  const { system } = connect(server);
  for (const call of [system.health(), system.sealStatus()]) {
    const error = await failureOf(call);
    expect(error.code).toBe('unexpected_answer');
    expect(error.message).toContain(': the answer holds no state of a node. ');
  }
});

test('the capabilities of several paths are returned', async () => {
  const server = await serve({ json: envelope({ 'a/b': ['read', 'sudo'], c: ['deny'] }) });
  const capabilities = await connect(server).system.capabilitiesSelf(['a/b', 'c']);
  expect(capabilities).toEqual({ 'a/b': ['read', 'sudo'], c: ['deny'] });
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/v1/sys/capabilities-self',
    body: '{"paths":["a/b","c"]}',
  });
});

test('an answer without one of the paths is refused', async () => {
  const server = await serve({ json: envelope({ a: ['read'] }) });
  const error = await failureOf(connect(server).system.capabilitiesSelf(['a', 'b']));
  expect(error.message).toContain(': the answer holds no capabilities on b. ');
});
