/**
 * The jobs with an identity run files that another job made, which ran other people's packages.
 * synth.sha256, which is committed and reviewed, has the hashes of all of them: the stacks, the
 * providers' lock file, the provider, the packages of the command line.
 *
 *   node hashes.mjs write           writes synth.sha256, after a synthesis
 *   node hashes.mjs list            prints the paths in synth.sha256, for tar
 *   node hashes.mjs check FOLDER    fails unless the folder has what synth.sha256 says
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'synth.sha256';
/**
 * Paths are below these folders, and no character in them means something to tar or in a list of
 * lines.
 */
const LINE =
  /^(?<hash>[0-9a-f]{64}) {2}(?<path>(?:cdktf\.out|node_modules)(?:\/(?!\.{1,2}(?:\/|$))[^\p{C}/\\]+)+)$/u;
/** The files that Terraform leaves in the folder of a stack. */
const LEFT_BEHIND = /^(\.terraform|.*\.tfstate(\.backup)?|.*\.plan)$/;

const [command, folder = '.'] = process.argv.slice(2);
if (command === 'write') {
  const lines = [...files('cdktf.out'), ...packages()].map((path) => `${hashOf(path)}  ${path}`);
  lines.forEach(readLine);
  writeFileSync(FILE, lines.map((line) => `${line}\n`).join(''));
} else if (command === 'list') {
  // With "./" in front, for tar takes what begins with "-" for an option.
  process.stdout.write(
    entries()
      .map(({ path }) => `./${path}\n`)
      .join(''),
  );
} else if (command === 'check') {
  const wrong = entries().filter(({ path, hash }) => hashOf(join(folder, path)) !== hash);
  if (wrong.length > 0) {
    const paths = wrong.map(({ path }) => `  ${path}\n`).join('');
    fail(
      `${folder} does not have what ${FILE} says:\n${paths}If the change is yours, run "npm run lock" and commit ${FILE}.`,
    );
  }
} else {
  fail('usage: node hashes.mjs write | list | check FOLDER', 2);
}

function entries() {
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(readLine);
}

function readLine(line) {
  const entry = LINE.exec(line)?.groups;
  if (entry === undefined) {
    fail(
      `${FILE}: ${JSON.stringify(line)} is not the hash and path of a file or package that can be handed on`,
    );
  }
  return entry;
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

/**
 * Returns a hash of the content of a file, the target of a link, or the names and hashes in a
 * folder. Each is marked with its kind, and names are quoted: nothing else has the same hash.
 */
function hashOf(path) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) return sha256('file', readFileSync(path));
  if (stat?.isSymbolicLink()) return sha256('link', readlinkSync(path));
  if (!stat?.isDirectory()) return 'missing';
  const names = readdirSync(path).sort();
  return sha256('folder', JSON.stringify(names.map((name) => [name, hashOf(join(path, name))])));
}

function sha256(kind, content) {
  return createHash('sha256').update(`${kind}\n`).update(content).digest('hex');
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
