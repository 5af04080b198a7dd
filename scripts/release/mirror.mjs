/** A network mirror, for Terraform and OpenTofu: files for any web server with TLS. */
import { join } from 'node:path';
import { place, readJson, writeJson } from './files.mjs';

/** Adds a version to a mirror. */
export function writeMirror(folder, { version, address, packages, assets }) {
  const own = join(folder, ...address.split('/'));
  const { versions } = readJson(own, 'index.json', { versions: {} });
  writeJson(own, `${version}.json`, {
    archives: Object.fromEntries(
      packages.map(({ platform, name: url, hashes }) => [platform, { url, hashes }]),
    ),
  });
  for (const { name } of packages) place(assets.path(name), own, name);
  writeJson(own, 'index.json', { versions: { ...versions, [version]: {} } });
}
