/**
 * Makes of the executables what registries and mirrors serve, in dist/release/. What is there of other versions stays.
 *
 *   npm run release
 *   npm run release -- --executables FOLDER --output FOLDER --publisher FILE
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeAssets } from './assets.mjs';
import { write, writeJson } from './files.mjs';
import { writeMirror } from './mirror.mjs';
import { writeOci } from './oci.mjs';
import { packagesIn } from './packages.mjs';
import { requirePublisher } from './publisher.mjs';
import { writeRegistry } from './registry.mjs';
import { signerOf } from './sign.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);
const { values: options } = parseArgs({
  options: {
    executables: { type: 'string', default: join(root, 'dist', 'executables') },
    output: { type: 'string', default: join(root, 'dist', 'release') },
    publisher: { type: 'string' },
  },
});
try {
  release();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

function release() {
  const { providerSource: address } = requirePublisher(options.publisher);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const executables = resolve(options.executables);
  const output = resolve(options.output);
  const packages = packagesIn(executables, version);
  const sign = signerOf(process.env);
  const assets = writeAssets(join(output, 'assets'), { version, packages, executables, sign });
  const made = { version, address, packages, assets };
  writeMirror(join(output, 'mirror'), made);
  writeOci(join(output, 'oci'), made);
  writeChecksums(output, made);
  if (sign) writeRegistry(join(output, 'registry'), made);
  else warnUnsigned();
  for (const { platform, hashes } of packages) console.log(`${platform} ${hashes.join(' ')}`);
  console.log(output);
}

/** The hashes of all forms of this version, for lock files: the form for Node.js has one for all platforms. */
function writeChecksums(output, { version, address, packages }) {
  const placement = join(root, 'lib', 'constructs', 'placement');
  const { readPackage } = require(join(placement, 'provider-package.js'));
  const { lockEntry } = require(join(placement, 'lock-file.js'));
  const { hash } = readPackage(root);
  const hashes = [hash, ...packages.flatMap((each) => each.hashes)];
  writeJson(output, `checksums_${version}.json`, { version, hashes: hashes.sort() });
  write(output, `terraform_${version}.lock.hcl`, lockEntry(address, { version, hashes }));
}

function warnUnsigned() {
  const line = '!'.repeat(100);
  console.error(
    `${line}\nNOT SIGNED: GPG_PRIVATE_KEY is not set, so there is no signature, and no registry: Terraform installs only\n` +
      `what is signed from registries. Mirrors need no signature. Set it to the output of "gpg --armor --export-secret-keys".\n${line}`,
  );
}
