import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The source of Debian's packages for systems of another distribution, such as Ubuntu, which lacks
 * Debian's keys.
 */
const DEBIAN_12 = 'deb [trusted=yes] https://deb.debian.org/debian bookworm main\n';

/**
 * Downloads a package of Debian to a folder, and returns the name of its file. It tries the package
 * lists of the system, new lists from the system's sources, and those of Debian itself.
 *
 * @param spec the package, and `=` with its version.
 * @throws Error if none of the lists has the package.
 */
export function downloadFromDebian(spec, folder) {
  for (const listsFor of [() => [], newLists, listsOfDebian]) {
    try {
      const get = [...listsFor(folder), 'download', spec];
      execFileSync('apt-get', get, { cwd: folder, stdio: 'ignore' });
      return readdirSync(folder).find((file) => file.startsWith(`${spec.split('=')[0]}_`));
    } catch {
      // One of the next lists may have the package.
    }
  }
  throw new Error(`the package registry does not have ${spec} of Debian 12`);
}

function newLists(folder, more = []) {
  const own = mkdtempSync(join(folder, 'apt-'));
  const options = ['-o', `Dir::State::lists=${own}`, '-o', `Dir::Cache=${own}`, ...more];
  execFileSync('apt-get', [...options, 'update'], { stdio: 'ignore' });
  return options;
}

function listsOfDebian(folder) {
  const sources = join(folder, 'sources.list');
  writeFileSync(sources, DEBIAN_12);
  return newLists(folder, ['-o', `Dir::Etc::sourcelist=${sources}`, '-o', 'Dir::Etc::sourceparts=-']);
}
