import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster } from '../../../src/provider/clusters/cluster';
import { temporaryFolder } from '../../support/temporary-folder';

interface Given {
  readonly token?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly usualTokenFile?: boolean;
}

/** Returns the secrets that are hidden before a cluster sends a request without a token. */
async function masked({ token, env = {}, usualTokenFile = false }: Given): Promise<readonly string[]> {
  const seen: string[] = [];
  const options = { address: 'http://127.0.0.1:1', token };
  const cluster = new Cluster(
    { name: 'us', options, login: undefined, usualTokenFile, unknown: [] },
    { env, mask: (secret) => seen.push(secret) },
  );
  expect(seen).toEqual([]);
  cluster.anonymous();
  cluster.anonymous();
  await cluster.close();
  return seen;
}

test.each([
  ['hvs.canary-token', ['hvs.canary-token']],
  ['root', []],
  [undefined, []],
])('the token %s is hidden before a request is sent without it', async (token, expected) => {
  expect(await masked({ token })).toEqual(expected);
});

describe('the token in ~/.vault-token', () => {
  let HOME: string;
  beforeEach(() => (HOME = temporaryFolder('home')));
  const put = (text: string) => writeFileSync(join(HOME, '.vault-token'), text);

  test('the token of ~/.vault-token is hidden before a request is sent without it', async () => {
    put('hvs.canary-file\n');
    expect(await masked({ env: { HOME }, usualTokenFile: true })).toEqual(['hvs.canary-file']);
  });

  test('a cluster with a token of its own does not read ~/.vault-token', async () => {
    put('hvs.canary-file\n');
    expect(await masked({ env: { HOME } })).toEqual([]);
    expect(await masked({ token: 'hvs.canary-given', env: { HOME }, usualTokenFile: true })).toEqual([
      'hvs.canary-given',
    ]);
  });

  test.each<[string, () => void]>([
    ['does not exist', () => undefined],
    ['is a folder', () => mkdirSync(join(HOME, '.vault-token'))],
    ['holds characters that cannot be sent', () => put('canary\u0001')],
  ])('a request without a token is sent also if ~/.vault-token %s', async (_, plant) => {
    plant();
    expect(await masked({ env: { HOME }, usualTokenFile: true })).toEqual([]);
  });
});
