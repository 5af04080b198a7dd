import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VaultClient } from '../../../src/client';
import { tokenFromFile } from '../../../src/client/internal';
import { temporaryFolder } from '../../support/temporary-folder';
import { withinTime } from '../../support/within-time';
import { envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

let home: string;

beforeEach(() => (home = temporaryFolder('client-home')));

const put = (name: string, text: string): void => writeFileSync(join(home, name), text);

test('a missing file contains no token', () => {
  expect(tokenFromFile({ HOME: home })).toBeUndefined();
});

test('the token of `vault login` is read without surrounding white space', () => {
  put('.vault-token', 'hvs.from-file\n');
  expect(tokenFromFile({ HOME: home })).toBe('hvs.from-file');
});

test('an empty file contains no token', () => {
  put('.vault-token', '\n');
  expect(tokenFromFile({ HOME: home })).toBeUndefined();
});

test('a token that cannot be sent is refused', async () => {
  put('.vault-token', 'canary\u0001canary');
  const error = await failureOf(() => tokenFromFile({ HOME: home }));
  expect(error.message).toMatch(`${join(home, '.vault-token')} contains characters that cannot be sent`);
  expect(error.message).not.toContain('canary\u0001');
});

test('a token file that is a pipe is refused without waiting', async () => {
  execFileSync('mkfifo', [join(home, '.vault-token')]);
  const error = await failureOf(() => tokenFromFile({ HOME: home }));
  expect(error.code).toBe('invalid_options');
  expect(error.message).toBe(
    `cannot read ${join(home, '.vault-token')}: it is neither a file nor a folder, not a file; set VAULT_TOKEN, or ` +
      'make the file readable',
  );
});

test('a token file that cannot be read is refused', async () => {
  mkdirSync(join(home, '.vault-token'));
  const error = await failureOf(() => tokenFromFile({ HOME: home }));
  expect(error.code).toBe('invalid_options');
  expect(error.message).toBe(
    `cannot read ${join(home, '.vault-token')}: it is a folder, not a file; ` +
      'set VAULT_TOKEN, or make the file readable',
  );
});

test('settings of 1 MiB of empty lines are read once', () => {
  put('.vault-token', 'hvs.from-file\n');
  put('.vault', '\n'.repeat(2 ** 20));
  expect(withinTime(() => tokenFromFile({ HOME: home }))).toBe('hvs.from-file');
});

test('a token helper of the user is refused, wherever it is configured', async () => {
  put('.vault-token', 'hvs.from-file');
  put('.vault', '# comment\ntoken_helper = "/usr/local/bin/helper"\n');
  put('other', 'token_helper="/bin/helper"');
  const paths = [{ HOME: home }, { HOME: home, VAULT_CONFIG_PATH: join(home, 'other') }];
  for (const [index, env] of paths.entries()) {
    const error = await failureOf(() => tokenFromFile(env));
    expect(error.code).toBe('invalid_options');
    expect(error.message).toBe(
      `${join(home, ['.vault', 'other'][index]!)} names a token helper, which is not run; ` +
        'set VAULT_TOKEN to what it prints for "get"',
    );
  }
});

test('a configuration without a token helper is accepted', () => {
  put('.vault-token', 'hvs.from-file');
  put('.vault', '# token_helper = "/bin/helper"\ntoken_helper = ""\n');
  expect(tokenFromFile({ HOME: home })).toBe('hvs.from-file');
});

test('a client from the environment uses VAULT_TOKEN before the file', async () => {
  const server = await serve({ json: envelope({}) });
  put('.vault-token', 'hvs.from-file');
  const env = { HOME: home, VAULT_ADDR: server.address, VAULT_NAMESPACE: 'team' };
  for (const client of [
    VaultClient.fromEnvironment(env),
    VaultClient.fromEnvironment({ ...env, VAULT_TOKEN: 'hvs.from-variable' }),
  ]) {
    await client.read('x');
    await client.close();
  }
  expect(
    server.requests.map(({ headers }) => [headers['x-vault-token'], headers['x-vault-namespace']]),
  ).toEqual([
    ['hvs.from-file', 'team'],
    ['hvs.from-variable', 'team'],
  ]);
});
