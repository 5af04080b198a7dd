import { useEmulator } from '../support/emulator';

const running = useEmulator();
const api = () => running().api;

async function newToken(options: object = {}) {
  const { body } = await api().post('auth/token/create', { policies: ['default'], ...options });
  return { id: body.auth.client_token as string, client: api().as(body.auth.client_token) };
}

it('each token has its own content', async () => {
  const ann = await newToken();
  const bob = await newToken();
  expect((await ann.client.put('cubbyhole/a/b', { x: 1 })).status).toBe(204);

  const { body } = await ann.client.get('cubbyhole/a/b');
  expect(body).toMatchObject({ data: { x: 1 }, lease_duration: 0 });
  expect((await ann.client.list('cubbyhole/a')).body.data).toEqual({ keys: ['b'] });
  expect((await ann.client.list('cubbyhole')).body.data).toEqual({ keys: ['a/'] });
  for (const other of [bob.client, api()]) expect((await other.get('cubbyhole/a/b')).status).toBe(404);

  expect((await ann.client.delete('cubbyhole/a/b')).status).toBe(204);
  expect((await ann.client.get('cubbyhole/a/b')).status).toBe(404);
});

it('the content is deleted with the token, even if another token gets its id', async () => {
  const id = 'chosen-id';
  const first = await newToken({ id });
  await first.client.put('cubbyhole/a', { x: 1 });
  await api().post('auth/token/revoke', { token: id });

  const second = await newToken({ id });
  expect((await second.client.get('cubbyhole/a')).status).toBe(404);
});

it('a batch token has no cubbyhole', async () => {
  const { client } = await newToken({ type: 'batch' });
  const { status, body } = await client.put('cubbyhole/a', { x: 1 });
  expect(status).toBe(400);
  expect(body).toEqual({ errors: ['cubbyhole operations are only supported by "service" type tokens'] });
});

it('a secret without fields is refused', async () => {
  const { status, body } = await api().put('cubbyhole/a', {});
  expect(status).toBe(400);
  expect(body).toEqual({ errors: ['missing data fields'] });
});
