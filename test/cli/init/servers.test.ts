/**
 * `init` on servers that were just started: those of the emulator, and a real one of the
 * open-source edition.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { openServerBinary, openServerMissing, startNewOpenServer } from '../../support/open-server';
import { newPgpPair } from '../../support/pgp';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

const binary = openServerBinary();
if (binary === undefined) console.warn(openServerMissing());

interface NewServer {
  readonly address: string;
  close(): Promise<void>;
}

async function startNewEmulator(): Promise<NewServer> {
  const emulator = await startEmulator({ uninitialized: 'shamir' });
  return { address: emulator.clusters.default.address, close: () => emulator.close() };
}

test.each<readonly [string, () => Promise<NewServer>]>([
  ['the emulator', startNewEmulator],
  ...(binary === undefined ? [] : [['a real server', () => startNewOpenServer(binary)] as const]),
])(
  '%s that was just started is initialized for PGP keys, unsealed, set up, and has no root token',
  async (_, start) => {
    const server = await start();
    const folder = temporaryFolder('init');
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
    const outputs: string[] = [];
    const init = async (...args: readonly string[]) => {
      const ended = await vaultAdmin(['init', ...args], { VAULT_ADDR: server.address }, folder);
      outputs.push(ended.stdout, ended.stderr);
      return ended;
    };
    try {
      const pairs = await Promise.all(['ann', 'bob'].map(newPgpPair));
      write('ann.asc', pairs[0]!.armored);
      write('bob.asc', pairs[1]!.armored);
      write('deployer.hcl', 'path "sys/policies/acl/*" { capabilities = ["read"] }');
      write(
        'setup.json',
        JSON.stringify({
          policies: { deployer: 'deployer.hcl' },
          auth: { type: 'approle', write: { 'role/deployer': { token_policies: 'deployer' } } },
        }),
      );
      expect(await init('--pgp-key', 'ann.asc', 'bob.asc')).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^default: initialized with 2 shares, 2 required/) as string,
        stderr: '',
      });
      const { root_token: token } = JSON.parse(readFileSync(join(folder, 'default.init.json'), 'utf8')) as {
        root_token: string;
      };
      const shares: string[] = [];
      for (const [index, pair] of pairs.entries()) {
        const share = await pair.open(readFileSync(join(folder, `default.share-${index + 1}.pgp`)));
        shares.push(share);
        write(`share-${index + 1}`, share);
      }
      expect(await init('--share-file', 'share-1', 'share-2', '--setup', 'setup.json')).toEqual({
        code: 0,
        stdout:
          'default: is initialized already\n' +
          'default: unsealed\n' +
          'default: policy deployer: written\n' +
          'default: auth method approle: enabled\n' +
          'default: auth/approle/role/deployer: written\n' +
          'default: its root token is revoked\n',
        stderr: '',
      });
      expect((await new Api(server.address, token).get('auth/token/lookup-self')).status).toBe(403);
      expect([token, ...shares].filter((secret) => outputs.some((text) => text.includes(secret)))).toEqual(
        [],
      );
    } finally {
      await server.close();
    }
  },
);
