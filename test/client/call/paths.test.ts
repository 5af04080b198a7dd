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
