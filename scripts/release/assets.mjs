/** The files of a version as registries take them: the zips, their checksums, the signature of those, the manifest. */
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { readJson, write, writeJson } from './files.mjs';
import { baseName, sha256 } from './packages.mjs';

const PROTOCOLS = ['6.0'];

/**
 * Writes the files, and returns their names.
 *
 * @param sign returns the signature of a text, and the key that made it; undefined if there is no key.
 */
export function writeAssets(folder, { version, packages, executables, sign }) {
  const base = baseName(version);
  const names = { sums: `${base}_SHA256SUMS`, signature: `${base}_SHA256SUMS.sig` };
  for (const { name, zip } of packages) write(folder, name, zip);
  const manifest = writeJson(folder, `${base}_manifest.json`, {
    version: 1,
    metadata: { protocol_versions: PROTOCOLS },
  });
  const bill = readJson(executables, 'sbom.cdx.json');
  const others = [manifest, ...(bill ? [writeJson(folder, `${base}_sbom.cdx.json`, bill)] : [])];
  const sums = [
    ...packages.map(({ name, sha256: sum }) => [sum, name]),
    ...others.map((file) => [sha256(readFileSync(file)), file.slice(folder.length + 1)]),
  ];
  const text = sums
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([sum, name]) => `${sum}  ${name}\n`)
    .join('');
  write(folder, names.sums, text);
  const signed = sign?.(text);
  if (signed) write(folder, names.signature, signed.signature);
  return { folder, protocols: PROTOCOLS, key: signed?.key, ...names, path: (name) => join(folder, name) };
}
