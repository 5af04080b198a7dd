/**
 * What the jobs with an identity run was made by a job that ran other people's packages. synth.sha256, which is committed and
 * reviewed, has the hashes of all of it: the stacks, the providers' lock file, the provider, the packages of the command line.
 *
 *   node hashes.mjs write           writes synth.sha256, after a synthesis
 *   node hashes.mjs check FOLDER    fails unless the folder has what synth.sha256 says
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'synth.sha256';
/** What Terraform leaves in the folder of a stack. */
const LEFT_BEHIND = /^(\.terraform|.*\.tfstate(\.backup)?|.*\.plan)$/;

const [command, folder = '.'] = process.argv.slice(2);
if (command === 'write') {
  const lines = [...files('cdktf.out'), ...packages()].map((path) => `${hashOf(path)}  ${path}\n`);
  writeFileSync(FILE, lines.join(''));
} else if (command === 'check') {
  const wrong = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && hashOf(join(folder, line.slice(66))) !== line.slice(0, 64));
  if (wrong.length > 0) {
    const paths = wrong.map((line) => `  ${line.slice(66)}\n`).join('');
    console.error(
      `${folder} does not have what ${FILE} says:\n${paths}If the change is yours, run "npm run lock" and commit ${FILE}.`,
    );
    process.exit(1);
  }
} else {
  console.error('usage: node hashes.mjs write | check FOLDER');
  process.exit(2);
}

/** The files and links below a folder. */
function files(path) {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !LEFT_BEHIND.test(name))
    .flatMap((entry) => (entry.isDirectory() ? files(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .sort();
}

/** The packages that are needed at run time on every platform, each with those inside of it. */
function packages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.keys(packages)
    .filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path))
    .filter((path) => !packages[path].dev && !packages[path].optional)
    .sort();
}

/** Of a file its content, of a link its target, of a folder the names and hashes of what is in it. */
function hashOf(path) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'missing';
  const hash = createHash('sha256');
  if (stat.isFile()) return hash.update(readFileSync(path)).digest('hex');
  if (stat.isSymbolicLink()) return hash.update(`link to ${readlinkSync(path)}`).digest('hex');
  for (const name of readdirSync(path).sort()) hash.update(`${hashOf(join(path, name))}  ${name}\n`);
  return hash.digest('hex');
}
