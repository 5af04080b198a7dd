/** Searches everything that init writes and prints for the secrets of a new cluster. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { argumentsOfOthers, formsOf, processes, WATCH_INTERVAL } from '../../support/canaries';
import { newPgpPair, type PgpPair } from '../../support/pgp';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdminAlone } from '../support/cli';

const ROOT = 'hvs.canary-root-token';

let emulator: Emulator;
let folder: string;
/** The texts that every user of the machine may have seen, with the place of each. */
const seen: (readonly [place: string, text: string])[] = [];

beforeEach(async () => {
  folder = temporaryFolder('init-canaries');
  emulator = await startEmulator({ clusters: { us: 0 }, rootToken: ROOT, uninitialized: 'shamir' });
});
afterEach(() => emulator.close());

async function init(...args: readonly string[]): Promise<number | null> {
  const others = new Set(processes());
  const look = () => argumentsOfOthers(others).forEach((text) => seen.push(['arguments', text]));
  const watch = setInterval(look, WATCH_INTERVAL);
  try {
    const env = { VAULTADMIN_US_ADDR: emulator.clusters.us!.address };
    const { code, stdout, stderr } = await vaultAdminAlone(['init', ...args], env, folder);
    seen.push(['stdout', stdout], ['stderr', stderr]);
    return code;
  } finally {
    clearInterval(watch);
  }
}

const inFolder = (name: string) => join(folder, name);

/** Returns the files of init that contain one of the secrets. */
function filesWith(secrets: readonly string[], own: readonly string[]): readonly string[] {
  const written = readdirSync(folder).filter((name) => !own.includes(name));
  return written.filter((name) => {
    const content = readFileSync(inFolder(name), 'latin1');
    return secrets.flatMap(formsOf).some((form) => content.includes(form));
  });
}

async function decrypted(pairs: readonly PgpPair[]): Promise<readonly string[]> {
  return Promise.all(
    pairs.map((pair, index) => pair.open(readFileSync(inFolder(`us.share-${index + 1}.pgp`)))),
  );
}

test('the secrets of a new cluster are in no argument, output or file, except the root token, which is in one file until it is revoked', async () => {
  const pairs = await Promise.all(['ann', 'bob'].map(newPgpPair));
  const own = ['0.asc', '1.asc', 'share-0', 'share-1', 'setup.json'];
  pairs.forEach(({ armored }, index) => writeFileSync(inFolder(`${index}.asc`), armored));
  writeFileSync(inFolder('setup.json'), JSON.stringify({ auth: { type: 'approle' } }));

  expect(await init('--pgp-key', '0.asc', '1.asc', '--setup', 'setup.json')).toBe(1);
  const shares = await decrypted(pairs);
  const secrets = [ROOT, ...shares, ...shares.map((share) => Buffer.from(share, 'hex').toString('base64'))];
  expect(filesWith(secrets, own)).toEqual(['us.init.json']);
  expect(filesWith(secrets.slice(1), own)).toEqual([]);
  for (const name of readdirSync(folder).filter((each) => !own.includes(each))) {
    expect({ name, mode: statSync(inFolder(name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
  }

  shares.forEach((share, index) => writeFileSync(inFolder(`share-${index}`), share));
  expect(await init('--share-file', 'share-0', 'share-1', '--setup', 'setup.json')).toBe(0);
  expect(filesWith(secrets, own)).toEqual([]);

  const forms = secrets.flatMap(formsOf);
  const places = seen.filter(([, text]) => forms.some((form) => text.includes(form)));
  expect(places.map(([place]) => place)).toEqual([]);
  expect(seen.some(([place, text]) => place === 'arguments' && text.includes('--share-file'))).toBe(true);
});
