import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Remarks } from '../../../src/cli/adopt/estate/remarks';
import { namespacesOf } from '../../../src/cli/clusters/namespaces-of-cluster';
import { resolveClusters, withClusters } from '../../../src/cli/clusters/open-clusters';
import { computingTime } from '../../support/computing-time';

/** Reads the namespaces of a server whose lists a function returns. */
async function look(keysOf: (namespace: string) => readonly string[], asked = ['*']) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    const namespace = String(request.headers['x-vault-namespace'] ?? '');
    const keys = keysOf(namespace);
    if (keys.length === 0) response.writeHead(404).end('{"errors":[]}');
    else response.end(JSON.stringify({ request_id: '1', data: { keys } }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const env = {
    VAULT_ADDR: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    VAULT_TOKEN: 'root',
  };
  const remarks = new Remarks();
  try {
    const found = await withClusters(resolveClusters(undefined, env), env, ([cluster]) =>
      namespacesOf(cluster!, asked, remarks.of('default')),
    );
    return { found, requests, unread: remarks.unread };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the reader of namespaces finds all namespaces, level by level', async () => {
  const tree: Record<string, string[]> = { '': ['a/', 'b/'], a: ['c/'] };
  expect(await look((namespace) => tree[namespace] ?? [])).toMatchObject({
    found: ['', 'a', 'a/c', 'b'],
    unread: [],
  });
});

test('the reader of namespaces ends at 32 levels of a server that always lists a child', async () => {
  const { found, requests, unread } = await look(() => ['child/']);
  expect(found).toHaveLength(33);
  expect(requests).toBe(32);
  expect(unread).toEqual([
    expect.objectContaining({
      text:
        'the server lists more than 10000 namespaces, or namespaces nested more than 32 levels deep; ' +
        'select some with --namespace',
    }),
  ]);
});

test.each(['', '/', '//'])(
  'the reader of namespaces ends if a server lists a namespace as its own child: %p',
  async (name) => {
    expect(await look(() => [name])).toMatchObject({ found: [''], requests: 1 });
  },
);

test('the reader of namespaces ends at the first 10,000 of many namespaces', async () => {
  const { found, unread } = await look(() => Array.from({ length: 20_000 }, (_, index) => `n${index}/`));
  expect(found).toHaveLength(10_000);
  expect(unread).toHaveLength(1);
});

test('a name of a million slashes is handled quickly', async () => {
  const names = (namespace: string) => (namespace === '' ? [`a${'/'.repeat(1_000_000)}b`] : []);
  let found: readonly string[] = [];
  const took = await computingTime(async () => ({ found } = await look(names)));
  expect(found).toEqual(['']);
  expect(took).toBeLessThan(20_000);
});

test('a namespace with an impossible name is reported, and the others are found', async () => {
  const { found, unread } = await look((namespace) =>
    namespace === '' ? ['a/', '\0/', 'b\n/', '../x/'] : [],
  );
  expect(found).toEqual(['', 'a']);
  const text =
    'it cannot be the path of a namespace; allowed: names separated by slashes, without white space, ' +
    '"+" or "*", other than ., .., root, sys, audit, auth, cubbyhole, identity';
  expect(unread).toEqual([
    { cluster: 'default', subject: 'namespace "\\u0000"', text },
    { cluster: 'default', subject: 'namespace "../x"', text },
    { cluster: 'default', subject: 'namespace "b\\n"', text },
  ]);
});

test.each(['../x', 'sys', 'a//b', '../*', 'a*'])(
  'the namespace %j is refused before any request',
  async (asked) => {
    const looked = look(() => [], [asked]);
    await expect(looked).rejects.toThrow(
      `--namespace ${JSON.stringify(asked)} cannot be the path of a namespace`,
    );
  },
);
