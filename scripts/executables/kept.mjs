import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a package that is in the user's cache folder, or that is downloaded to it.
 *
 * @param download downloads it to a folder, and returns its name there.
 * @throws Error if it cannot be downloaded, or has another hash.
 */
export function keptPackage(name, integrity, download) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cdktf-vault-admin-runtimes');
  const kept = join(cache, name);
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const draft = mkdtempSync(join(cache, 'draft-'));
    try {
      renameSync(join(draft, download(draft)), kept);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  const hash = `sha512-${createHash('sha512').update(readFileSync(kept)).digest('base64')}`;
  if (hash !== integrity)
    throw new Error(`${kept} has the hash ${hash} instead of ${integrity}: delete it, and try again`);
  return kept;
}
