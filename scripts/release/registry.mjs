/**
 * A private registry: files for a web server with TLS, under the host of the provider's address.
 */
import { join } from 'node:path';
import { place, readJson, writeJson } from './files.mjs';

const PROVIDERS = '/v1/providers/';

/** Adds a version to a registry. The version must be signed. */
export function writeRegistry(folder, { version, address, packages, assets }) {
  const [, namespace, type] = address.split('/');
  const own = join(folder, PROVIDERS, namespace, type);
  const { versions } = readJson(own, 'versions', { versions: [] });
  const files = join(own, version);
  for (const { os, arch, name, sha256 } of packages) {
    place(assets.path(name), files, name);
    // Registry clients resolve these addresses against the address of this file.
    writeJson(files, join('download', os, arch), {
      protocols: assets.protocols,
      os,
      arch,
      filename: name,
      download_url: `../../${name}`,
      shasums_url: `../../${assets.sums}`,
      shasums_signature_url: `../../${assets.signature}`,
      shasum: sha256,
      signing_keys: { gpg_public_keys: [assets.key] },
    });
  }
  for (const name of [assets.sums, assets.signature]) place(assets.path(name), files, name);
  const platforms = packages.map(({ os, arch }) => ({ os, arch }));
  writeJson(own, 'versions', {
    versions: [
      ...versions.filter((other) => other.version !== version),
      { version, protocols: assets.protocols, platforms },
    ],
  });
  writeJson(folder, join('.well-known', 'terraform.json'), { 'providers.v1': PROVIDERS });
}
