import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

async function urlOf(path: string): Promise<string | undefined> {
  const server = await serve({ json: envelope({}) });
  await connect(server).read(path);
  return server.requests[0]?.url;
}

test.each([
  ['sys/policies/acl/ops', '/v1/sys/policies/acl/ops'],
  ['/sys/mounts', '/v1/sys/mounts'],
  ['secret/metadata/', '/v1/secret/metadata/'],
  ['team/app', '/v1/team/app'],
  ['a b', '/v1/a%20b'],
  ['100%', '/v1/100%25'],
  ['a?list=true#x', '/v1/a%3Flist%3Dtrue%23x'],
  ['a&b=c;d', '/v1/a%26b%3Dc%3Bd'],
  ['überblick/東京', '/v1/%C3%BCberblick/%E6%9D%B1%E4%BA%AC'],
  ['a\\..\\b', '/v1/a%5C..%5Cb'],
  ['%2e%2e/a', '/v1/%252e%252e/a'],
  ['...', '/v1/...'],
  ['line\nbreak', '/v1/line%0Abreak'],
])('the path %j is sent as %s', async (path, url) => {
  expect(await urlOf(path)).toBe(url);
});

test.each(['', '/', '.', '..', 'a/../b', 'a/./b', 'a//b', 'a/..', '\ud800'])(
  'the path %j is refused',
  async (path) => {
    const server = await serve({ json: envelope({}) });
    const error = await failureOf(connect(server).read(path));
    expect(error).toMatchObject({ code: 'invalid_request', path, attempts: 0 });
    expect(error.message).toBe(
      `${JSON.stringify(path)} cannot be a path on the server: allowed are segments of valid Unicode separated by ` +
        'single slashes, none of them empty, "." or ".."',
    );
    expect(server.requests).toHaveLength(0);
  },
);

test('a read below a path of the address that has no API is an error, and no missing object', async () => {
  const server = await serve({ status: 404, json: { errors: [] } });
  const address = `${server.address}/vault`;
  for (const missed of [connect({ address }).read('a'), connect({ address }).list('a')]) {
    const error = await failureOf(missed);
    expect(error.code).toBe('unexpected_answer');
    expect(error.message).toMatch(
      new RegExp(
        `^cannot (read|list) a on ${address}: the server answered 404, to sys/seal-status as well: its API is not ` +
          'below this path. Correct the path in the address \\(VAULT_ADDR\\), or remove it.$',
      ),
    );
  }
});

test('the path of the address is checked once, without a token, when the first object is missing', async () => {
  const server = await serve(({ url }) =>
    url === '/vault/v1/sys/seal-status' ? { json: { sealed: false } } : { status: 404, json: { errors: [] } },
  );
  const client = connect({ address: `${server.address}/vault/` });
  expect(await client.read('a')).toBeUndefined();
  expect(await client.read('b')).toBeUndefined();
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/vault/v1/a',
    '/vault/v1/sys/seal-status',
    '/vault/v1/b',
  ]);
  expect(server.requests[1]!.headers).not.toHaveProperty('x-vault-token');
});

test.each([403, 404, 500])(
  'an object is missing below a path whose proxy refuses sys/seal-status with %i',
  async (status) => {
    const server = await serve(({ url }) =>
      url.endsWith('/seal-status') ? { status, text: 'no' } : { status: 404, json: { errors: [] } },
    );
    expect(
      await connect({ address: `${server.address}/vault` }, { maxRetries: 0 }).read('a'),
    ).toBeUndefined();
  },
);
