/**
 * The files of a version of a program in the form of registries: the zips, their checksums, the
 * signature of the checksums, and the manifest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS } from '../executables/programs.mjs';
import { readJson, write, writeJson } from './files.mjs';
import { sha256 } from './packages.mjs';

const PROTOCOLS = ['6.0'];

/**
 * Writes the files of a program, and returns their names.
 *
 * @param program an entry of `PROGRAMS`.
 * @param sign returns the signature of a text, and its key. It is undefined if there is no key.
 */
export function writeAssets(folder, { program, version, packages, executables, sign }) {
  const base = `${program.title}_${version}`;
  const names = { sums: `${base}_SHA256SUMS`, signature: `${base}_SHA256SUMS.sig` };
  for (const { name, zip } of packages) write(folder, name, zip);
  const others = [];
  if (program === PROGRAMS.provider) {
    const manifest = { version: 1, metadata: { protocol_versions: PROTOCOLS } };
    others.push(writeJson(folder, `${base}_manifest.json`, manifest));
  }
  const bill = readJson(join(executables, program.folder), 'sbom.cdx.json');
  if (bill) others.push(writeJson(folder, `${base}_sbom.cdx.json`, bill));
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
