import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { downloadFromDebian } from './debian.mjs';
import { keptPackage } from './kept.mjs';
import { GLIBC, PLATFORMS } from './platforms.mjs';

/** The libraries that Bun loads. */
const LIBRARIES = ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'];

/**
 * Places a glibc beside a program for Linux, and the script that starts the program, for systems
 * with another C library.
 *
 * @param folder the folder of the program.
 * @param files the names of the script and of the program, the variables that the script sets, and
 *   whether users start the script by a symbolic link.
 * @throws Error if the package of Debian cannot be downloaded, or has another hash.
 */
export function placeGlibc(platform, folder, { script, program, settings, isLinked }) {
  const { package: name, libraries, loader, integrity } = PLATFORMS[platform].glibc;
  const packed = keptPackage(`${name}-${GLIBC.package}.deb`, integrity, (draft) =>
    downloadFromDebian(`${name}=${GLIBC.package}`, draft),
  );
  const unpacked = mkdtempSync(join(tmpdir(), 'glibc-'));
  try {
    execFileSync('dpkg-deb', ['--extract', packed, unpacked]);
    mkdirSync(join(folder, 'glibc'));
    for (const file of [basename(loader), ...LIBRARIES]) {
      copyFileSync(join(unpacked, libraries, file), join(folder, 'glibc', file));
      chmodSync(join(folder, 'glibc', file), 0o755);
    }
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  writeFileSync(join(folder, script), scriptFor(loader, { program, settings, isLinked }), { mode: 0o755 });
}

/**
 * The script uses only keywords and special builtins of shells, and a program by its path: neither
 * the PATH nor functions in the environment change its effect. Systems with musl may have another
 * file under the name of glibc.
 */
function scriptFor(loader, { program, settings, isLinked }) {
  return `#!/bin/sh
# Starts the program: on systems with musl or without glibc, with the glibc in the folder beside it.
${settings.map((setting) => `export ${setting}\n`).join('')}${isLinked ? FOLDER_BEHIND_LINKS : 'folder=${0%/*}'}
glibc=own
for file in ${loader.replace(/.$/, '[$&]')}; do
  case $file in ${loader}) glibc=of-the-system ;; esac
done
for file in /lib/ld-musl-*; do
  case $file in *'*') ;; *) glibc=own ;; esac
done
# The loader takes a colon in a path for the end of it: a registry's address may have one. $ORIGIN is the folder of the program.
case $glibc in
  own) exec "$folder/glibc/${basename(loader)}" --library-path '$ORIGIN/glibc' "$folder/${program}" "$@" ;;
  *) exec "$folder/${program}" "$@" ;;
esac
`;
}

/**
 * Finds the folder of the script. The smallest systems lack readlink: there, the script must be
 * started by its own path.
 */
const FOLDER_BEHIND_LINKS = `script=$0
for file in /bin/readlin[k] /usr/bin/readlin[k]; do
  case $file in *'[k]') ;; *) script=$("$file" -f "$0") ;; esac
done
folder=\${script%/*}`;
