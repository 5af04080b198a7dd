/**
 * Makes the files that registries and mirrors serve, from the executables, in dist/release/. Files
 * of other versions stay there. `npm run release -- --executables FOLDER --output FOLDER
 * --publisher FILE` uses other folders and another `publisher.json`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmRun } from '../npm-run.mjs';
import { PROGRAMS } from '../executables/programs.mjs';
import { writeAssets } from './assets.mjs';
import { write, writeJson } from './files.mjs';
import { writeMirror } from './mirror.mjs';
import { writeNpmPackages } from './npm.mjs';
import { writeOci } from './oci.mjs';
import { packagesOf } from './packages.mjs';
import { requirePublisher } from './publisher.mjs';
import { writeRegistry } from './registry.mjs';
import { signerOf } from './sign.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);
const PLACEMENT = join(root, 'lib', 'constructs', 'placement');
const options = npmRun('release', 'Makes the files that registries and mirrors serve, from the executables.')
  .option('--executables <FOLDER>', 'where they are', join(root, 'dist', 'executables'))
  .option('--output <FOLDER>', 'where to', join(root, 'dist', 'release'))
  .option('--publisher <FILE>', 'the facts that only a publisher knows (default: publisher.json)')
  .parse()
  .opts();
try {
  release();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

function release() {
  const { providerSource: address, repository } = requirePublisher(options.publisher);
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const executables = resolve(options.executables);
  const output = resolve(options.output);
  const { provider, 'vault-admin': commandLine } = PROGRAMS;
  const packages = packagesOf(provider, { executables, version });
  const commands = packagesOf(commandLine, { executables, version });
  const about = { version, executables, sign: signerOf(process.env) };
  const assets = writeAssets(join(output, 'assets'), { ...about, program: provider, packages });
  writeAssets(join(output, 'command-line'), { ...about, program: commandLine, packages: commands });
  const hashes = allHashes(packages);
  const made = { version, license, address, repository, executables, packages, assets, hashes };
  writeMirror(join(output, 'mirror'), made);
  writeOci(join(output, 'oci'), made);
  writeNpmPackages(join(output, 'npm'), made);
  writeChecksums(output, made);
  if (assets.key) writeRegistry(join(output, 'registry'), made);
  else warnUnsigned();
  for (const { platform, hashes } of packages) console.log(`${platform} ${hashes.join(' ')}`);
  console.log(output);
}

/**
 * Returns the hashes of this version's packages in all forms. The form for Node.js has the same
 * hash on all platforms.
 */
function allHashes(packages) {
  const { readPackage } = require(join(PLACEMENT, 'provider-package.js'));
  return [readPackage(root).hash, ...packages.flatMap((each) => each.hashes)].sort();
}

function writeChecksums(output, { version, address, hashes }) {
  const { lockEntry } = require(join(PLACEMENT, 'lock-file.js'));
  writeJson(output, `checksums_${version}.json`, { version, hashes });
  write(output, `terraform_${version}.lock.hcl`, lockEntry(address, { version, hashes }));
}

function warnUnsigned() {
  const line = '!'.repeat(100);
  console.error(
    `${line}\nNOT SIGNED: GPG_PRIVATE_KEY is not set, so there is no signature, and no registry: Terraform installs only\n` +
      `what is signed from registries. Mirrors need no signature. Set it to the output of "gpg --armor --export-secret-keys".\n${line}`,
  );
}
