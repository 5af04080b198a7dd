import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Downloads a package of Debian to a folder, and returns its name there. If the system's lists do not name it, it fetches lists of its own.
 *
 * @param spec the package, and `=` with its version.
 * @throws Error if it cannot be had.
 */
export function downloadFromDebian(spec, folder) {
  const own = join(folder, 'apt');
  const options = ['-o', `Dir::State::lists=${own}`, '-o', `Dir::Cache=${own}`];
  const get = (...more) =>
    execFileSync('apt-get', [...more, 'download', spec], { cwd: folder, stdio: 'ignore' });
  try {
    try {
      get();
    } catch {
      mkdirSync(own);
      execFileSync('apt-get', [...options, 'update'], { stdio: 'ignore' });
      get(...options);
    }
    return readdirSync(folder).find((file) => file.startsWith(`${spec.split('=')[0]}_`));
  } catch {
    throw new Error(`the package registry does not have ${spec} of Debian 12`);
  }
}
