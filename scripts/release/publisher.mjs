/**
 * Reads `publisher.json` in the project's folder, which has what only the publisher of the packages
 * knows.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The placeholders in the project until a publisher replaces them. */
const PLACEHOLDER = /\bexample\b(?:\.(?:com|org|net)\b|$)|^internal\./i;

const FIELDS = {
  repository: {
    allowed: 'the https address of the repository',
    example: 'https://github.com/acme/vault-admin',
    accepts: (value) => /^https:\/\/[\w.-]+(?::\d+)?\/[\w./-]+$/.test(value),
  },
  mavenGroup: {
    allowed: 'a group of yours in Maven repositories',
    example: 'io.github.acme',
    accepts: (value) => /^[a-z]\w*(?:\.[a-z]\w*)+$/.test(value),
  },
  nugetPrefix: {
    allowed: 'what the names of your packages for .NET begin with',
    example: 'Acme',
    accepts: (value) => /^[A-Z]\w*(?:\.[A-Z]\w*)*$/.test(value),
  },
  goModules: {
    allowed: 'the path above your modules for Go',
    example: 'github.com/acme',
    accepts: (value) => /^[a-z][\w-]*(?:\.[\w-]+)+(?:\/[\w.-]+)*$/.test(value),
  },
};

/** Returns the contents of the file, even if they are placeholders. */
export function readPublisher(file = join(root, 'publisher.json')) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Returns the contents of the file for a release, which must have no placeholders.
 *
 * @throws Error for each value that is missing, not valid or a placeholder.
 */
export function requirePublisher(file = join(root, 'publisher.json')) {
  const publisher = readPublisher(file);
  const problems = Object.entries(FIELDS).flatMap(([name, field]) => problemOf(name, field, publisher[name]));
  const address = addressProblem(publisher.providerSource);
  if (address) {
    problems.push(
      `providerSource is ${address.received ?? 'missing'}; allowed: ${address.allowed}; ${address.cure}`,
    );
  }
  const unknown = Object.keys(publisher).filter((name) => name !== 'providerSource' && !(name in FIELDS));
  problems.push(
    ...unknown.map(
      (name) =>
        `${name} is unknown; allowed: ${[...Object.keys(FIELDS), 'providerSource'].join(', ')}; remove it`,
    ),
  );
  if (problems.length > 0) throw new Error(problems.map((problem) => `${file}: ${problem}`).join('\n'));
  return publisher;
}

function problemOf(name, { allowed, example, accepts }, value) {
  const rest = `allowed: ${allowed}; write for example ${JSON.stringify(example)}`;
  if (typeof value !== 'string' || !accepts(value))
    return [`${name} is ${JSON.stringify(value) ?? 'missing'}; ${rest}`];
  return PLACEHOLDER.test(value) ? [`${name} is the placeholder ${JSON.stringify(value)}; ${rest}`] : [];
}

function addressProblem(address) {
  const require = createRequire(import.meta.url);
  const { providerAddressProblem } = require(join(root, 'lib', 'src', 'model', 'provider-source.js'));
  return PLACEHOLDER.test(address ?? '')
    ? { ...providerAddressProblem(''), received: `the placeholder ${JSON.stringify(address)}` }
    : providerAddressProblem(address);
}
