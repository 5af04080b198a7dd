import { readdirSync } from 'node:fs';
import { startProxy, type Json } from '../../support/proxy';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdminAlone } from '../support/cli';
import { startPair, type Pair } from '../support/pair';

let pair: Pair;
let folder: string;
beforeAll(async () => {
  pair = await startPair({ rootToken: 'root' });
  folder = temporaryFolder('secondary-ids');
});
afterAll(() => pair.emulator.close());

test('a set whose secondary has an id that cannot be a name is left out and reported', async () => {
  const alter = (answer: Json, path: string) =>
    path.includes('replication')
      ? (JSON.parse(JSON.stringify(answer).replaceAll('"eu"', '".."')) as Json)
      : answer;
  const proxies = await Promise.all(
    [pair.us, pair.eu].map(({ address }) => startProxy({ target: address, alter })),
  );
  const [us, eu] = proxies.map(({ address }) => address);
  const env = { ...pair.env, VAULTADMIN_US_ADDR: us!, VAULTADMIN_EU_ADDR: eu! };
  const { code, stdout } = await vaultAdminAlone(['adopt', '--only', 'replication'], env, folder);
  await Promise.all(proxies.map((proxy) => proxy.close()));
  expect({ code, lines: stdout.split('\n').filter((line) => line.includes(': us: ')) }).toEqual({
    code: 3,
    lines: [
      expect.stringMatching(
        /^\? not read: us: paths filter "\.\.": .*id is not valid as part of a path; received "\.\."/,
      ),
      '? not read: us: replication set: it is not in the app, since the first plan would remove the paths filters that could ' +
        'not be read',
    ],
  });
  expect(readdirSync(folder)).toEqual([]);
});
