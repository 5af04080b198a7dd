import { scryptSync } from 'node:crypto';
import type { PrivateState } from '../../../src/plugin';
import type * as SecretDigests from '../../../src/provider/auto-snapshots/secret-digests';

// All other tests use a cheap digest in place of the real one, to save time.
jest.unmock('../../../src/provider/auto-snapshots/digest-cost');
const { changedSecrets, rememberSecrets } = jest.requireActual<typeof SecretDigests>(
  '../../../src/provider/auto-snapshots/secret-digests',
);

interface Kept {
  readonly salt: string;
  readonly digest: string;
  readonly cost?: { readonly N: number; readonly r: number; readonly p: number };
}

class Memory implements PrivateState {
  constructor(private secrets?: unknown) {}
  get(): unknown {
    return this.secrets;
  }
  set(_key: string, value: unknown): void {
    this.secrets = value;
  }
  kept(name: string): Kept {
    return (this.secrets as Record<string, Kept>)[name]!;
  }
}

const OWASP = { N: 32768, r: 8, p: 3 };

test('a digest uses scrypt, with its own salt and the cost that OWASP recommends', async () => {
  const memory = new Memory();
  await rememberSecrets(
    new Map([
      ['key', 'secret'],
      ['token', 'secret'],
    ]),
    memory,
  );
  const { salt, digest, cost } = memory.kept('key');
  expect(cost).toEqual(OWASP);
  const expected = scryptSync('secret', Buffer.from(salt, 'base64'), 32, { ...OWASP, maxmem: 2 ** 28 });
  expect(digest).toBe(expected.toString('base64'));
  expect(memory.kept('token').salt).not.toBe(salt);

  expect(await changedSecrets({ key: 'secret', token: 'secret' }, memory)).toEqual([]);
  expect(memory.kept('key')).toEqual({ salt, digest, cost });
  expect(await changedSecrets({ key: 'Secret' }, memory)).toEqual(['key', 'token']);
});

test('a digest of an older version is valid, and is replaced by a digest that costs more', async () => {
  const old = {
    salt: 'AAECAwQFBgcICQoLDA0ODw==',
    digest: 'r9exmObJ8i0y/AfTCydrz+xF7p65CQFJbjw0um8RdSU=',
  };
  const memory = new Memory({ key: old, token: old });
  expect(await changedSecrets({ key: 'secret-2', token: 'another' }, memory)).toEqual(['token']);
  expect(memory.kept('key').cost).toEqual(OWASP);
  expect(memory.kept('key').salt).not.toBe(old.salt);
  expect(memory.kept('token')).toEqual(old);
  expect(await changedSecrets({ key: 'secret-2', token: 'another' }, memory)).toEqual(['token']);
});

test('no digest is stored if there is no secret', async () => {
  const memory = new Memory({});
  await rememberSecrets(new Map(), memory);
  expect(memory.get()).toBeUndefined();
  expect(await changedSecrets({ key: 'secret' }, memory)).toEqual([]);
  expect(memory.get()).toBeUndefined();
});
