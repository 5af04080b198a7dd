import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

test("unwrapping sends the wrapping token in place of the client's", async () => {
  const server = await serve({ json: envelope({ password: 'p' }) });
  const response = await connect(server).wrapping.unwrap('hvs.wrapping');
  expect(response.data).toEqual({ password: 'p' });
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/sys/wrapping/unwrap', body: '' });
  expect(server.requests[0]?.headers['x-vault-token']).toBe('hvs.wrapping');
});

test('a wrapping token that was used is refused', async () => {
  const server = await serve({
    status: 400,
    json: { errors: ['wrapping token is not valid or does not exist'] },
  });
  const error = await failureOf(connect(server).wrapping.unwrap('hvs.wrapping'));
  expect(error).toMatchObject({
    code: 'invalid_request',
    errors: ['wrapping token is not valid or does not exist'],
  });
});

test('a wrapping token that cannot be sent is refused', async () => {
  const client = connect({ address: 'http://127.0.0.1:1' });
  expect((await failureOf(client.wrapping.unwrap('hvs.\n'))).code).toBe('invalid_options');
});

test('a lookup returns the origin', async () => {
  const data = {
    creation_path: 'sys/policies/acl/a',
    creation_time: '2026-05-01T09:10:11Z',
    creation_ttl: 60,
  };
  const server = await serve({ json: envelope(data) });
  expect((await connect(server).wrapping.lookup('hvs.wrapping')).data).toEqual(data);
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    url: '/v1/sys/wrapping/lookup',
    body: '{"token":"hvs.wrapping"}',
  });
  const strange = await serve({ json: envelope({}) });
  expect((await failureOf(connect(strange).wrapping.lookup('hvs.wrapping'))).code).toBe('unexpected_answer');
});
