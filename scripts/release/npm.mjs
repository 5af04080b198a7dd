/**
 * A package of npm for each platform, from which apps place the executable: folders for
 * `npm publish`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { place, writeJson } from './files.mjs';

const SYSTEMS = { linux: 'linux', darwin: 'darwin', windows: 'win32' };
const PROCESSORS = { amd64: 'x64', arm64: 'arm64' };

/** @param hashes the hashes of all packages of the version, for lock files. */
export function writeNpmPackages(folder, { version, packages, executables, repository, license, hashes }) {
  for (const { platform, os, arch } of packages) {
    const name = `vault-admin-provider-${os}-${arch}`;
    const own = join(folder, name);
    writeJson(own, 'package.json', {
      name,
      version,
      description: `The Terraform provider vaultadmin for ${platform}, without Node.js.`,
      license,
      repository: { type: 'git', url: `git+${repository}.git` },
      os: [SYSTEMS[os]],
      cpu: [PROCESSORS[arch]],
      files: ['provider', 'checksums.json'],
    });
    writeJson(own, 'checksums.json', { version, hashes });
    const built = join(executables, platform);
    for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) continue;
      const file = join(entry.parentPath, entry.name);
      place(file, join(own, 'provider'), file.slice(built.length + 1));
    }
  }
}
