/**
 * Signs with the GPG key of the environment: `GPG_PRIVATE_KEY`, and `GPG_PASSPHRASE` if it has one.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a function that signs a text, or undefined if the environment has no key. Key and
 * passphrase are passed to gpg through pipes.
 *
 * @throws Error when it is used, if the key is not valid
 */
export function signerOf({ GPG_PRIVATE_KEY: key, GPG_PASSPHRASE: passphrase = '', ...env }) {
  return key ? (text) => withKeyring(env, (gpg) => signWith(gpg, key, passphrase, text)) : undefined;
}

function signWith(gpg, key, passphrase, text) {
  gpg(['--import'], key);
  const listed = gpg(['--list-secret-keys', '--with-colons'], '').toString();
  const [, fingerprint] = /^fpr:+([0-9A-F]{40}):/m.exec(listed) ?? [];
  if (fingerprint === undefined)
    throw new Error('GPG_PRIVATE_KEY has no secret key: export it with "gpg --armor --export-secret-keys"');
  const signature = gpg(
    ['--pinentry-mode', 'loopback', '--passphrase-fd', '0', '--local-user', fingerprint, '--detach-sign'],
    `${passphrase}\n${text}`,
  );
  const ascii_armor = gpg(['--armor', '--export', fingerprint], '').toString();
  return { signature, key: { key_id: fingerprint.slice(-16), ascii_armor } };
}

/** Runs gpg in a folder of its own, so that the user's keyring does not get the key. */
function withKeyring(env, use) {
  // gpg's agent listens on a socket in this folder. Paths of sockets must be short.
  const folder = mkdtempSync(join(tmpdir(), 'gpg-'));
  const within = { ...env, GNUPGHOME: folder };
  try {
    return use((args, input) => {
      const { status, stdout, stderr, error } = spawnSync('gpg', ['--batch', '--quiet', ...args], {
        env: within,
        input,
      });
      if (error)
        throw new Error(`gpg was not started (${error.code}): install GnuPG, or unset GPG_PRIVATE_KEY`);
      if (status === 0) return stdout;
      throw new Error(
        `gpg ${args.at(-1)} failed: ${stderr.toString().trim()}; check GPG_PRIVATE_KEY and GPG_PASSPHRASE`,
      );
    });
  } finally {
    spawnSync('gpgconf', ['--kill', 'gpg-agent'], { env: within });
    rmSync(folder, { recursive: true, force: true });
  }
}
