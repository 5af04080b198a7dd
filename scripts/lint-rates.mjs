/**
 * Measures `policy lint`. `mistakes` prints the rate of found mistakes: policies for the endpoints
 * in the source of OpenBao, with a misspelt name, with a capability that no operation of the
 * endpoint needs, or with misspelt parameters. `foreign` prints the findings on policies of other
 * people. A person has to check each of these findings: none may be wrong.
 *
 *   OPEN_SERVER_SOURCE=GIT_DIRECTORY node scripts/lint-rates.mjs mistakes
 *   POLICY_CORPUS=DIRECTORY node scripts/lint-rates.mjs foreign
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Argument } from 'commander';
import { npmRun } from './npm-run.mjs';

const command = npmRun('lint-rates', 'Measures policy lint.')
  .addArgument(
    new Argument('<KIND>', 'found mistakes, or findings on policies of others').choices([
      'mistakes',
      'foreign',
    ]),
  )
  .option('--missed', 'list the mistakes that were not found')
  .parse();
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { lintAclPolicy } = createRequire(import.meta.url)(join(root, 'lib', 'src', 'model', 'index.js'));

/** The folders of the source that define paths, each with the mount of these paths. */
const SOURCES = [
  ['internal/vault/logical_system', 'sys'],
  ['internal/vault/identity_store', 'identity'],
  ['internal/vault/token_store', 'auth/token'],
  ['internal/builtin/credential/approle/', 'auth/approle'],
  ['internal/builtin/credential/jwt/', 'auth/jwt'],
  ['internal/builtin/credential/kubernetes/', 'auth/kubernetes'],
  ['internal/builtin/credential/userpass/', 'auth/userpass'],
  ['internal/builtin/logical/database/', 'database'],
  ['internal/builtin/logical/kubernetes/', 'kubernetes'],
  ['internal/builtin/logical/pki/', 'pki'],
  ['internal/builtin/logical/transit/', 'transit'],
];
/** Matches paths of OpenBao that Vault, and so the table of endpoints, does not have. */
const OF_OPEN_SERVER =
  /^(external-keys|workflows|generate-root-token|policies\/detailed|namespaces\/.*seal|internal\/inspect\/request|storage\/raft\/(promote|demote)|cel|oidc\/poll|derive-key|keys\/example\/soft-delete)\b/;
const MOUNTS = new Map(['database', 'kubernetes', 'pki', 'transit'].map((kind) => [kind, kind]));
/** Matches a field of a definition. */
const FIELD = /^\t+"(\w+)":\s+(?:&framework\.FieldSchema)?\{/gm;
const LEAST_RATE = 0.95;

if (command.args[0] === 'mistakes') mistakes();
else foreign();

function mistakes() {
  const source = required('OPEN_SERVER_SOURCE');
  const counts = new Map();
  const missed = [];
  for (const definition of definitions(source)) {
    for (const [kind, text] of planted(definition)) {
      const found = lintAclPolicy(text, { mounts: MOUNTS }).length > 0;
      const [hits, all] = counts.get(kind) ?? [0, 0];
      counts.set(kind, [hits + (found ? 1 : 0), all + 1]);
      if (!found) missed.push(`${kind}: ${text}`);
    }
  }
  const sums = [...counts.values()].reduce(([a, b], [hits, all]) => [a + hits, b + all], [0, 0]);
  if (command.opts().missed) console.log(missed.join('\n'));
  for (const [kind, [hits, all]] of counts) console.log(`${kind}: ${hits} of ${all}`);
  console.log(`all: ${sums[0]} of ${sums[1]} (${((100 * sums[0]) / sums[1]).toFixed(1)} %)`);
  if (!(sums[0] >= LEAST_RATE * sums[1]) || sums[1] === 0)
    fail(`fewer than ${100 * LEAST_RATE} % were found`);
}

function foreign() {
  const folder = required('POLICY_CORPUS');
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.hcl'));
  if (files.length === 0) fail(`${folder} has no file that ends with .hcl`);
  let findings = 0;
  for (const file of files) {
    for (const { id, severity, path, line, problem } of lintAclPolicy(
      readFileSync(join(folder, file), 'utf8'),
    )) {
      findings++;
      console.log(`${file}:${line ?? 1} ${severity} ${id} ${JSON.stringify(path)}: ${problem}`);
    }
  }
  console.log(`${findings} findings on ${files.length} policies`);
}

/** Returns the endpoints of the source whose pattern is plain enough to be read. */
function definitions(source) {
  const git = (...args) =>
    execFileSync('git', ['-C', source, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const files = git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  return SOURCES.flatMap(([prefix, mount]) => {
    const ofMount = files.filter((name) => name.startsWith(prefix) && /(?<!_test)\.go$/.test(name));
    if (ofMount.length === 0) fail(`the source has no file that begins with ${prefix}`);
    return ofMount.flatMap((file) => {
      const blocks = git('show', `HEAD:${file}`)
        .split(/(?=\bPattern:\s)/)
        .slice(1);
      return blocks.flatMap((block) => {
        const pattern = block.slice('Pattern:'.length, block.indexOf('\n')).trim().replace(/,$/, '');
        const path = pathOf(pattern);
        const operations = [...block.matchAll(/logical\.(\w+)Operation\s*:/g)];
        const capabilities = operations.map(([, name]) => name.toLowerCase());
        const fields = block.slice(0, operations[0]?.index).matchAll(FIELD);
        const parameters = Array.from(fields, ([, name]) => name);
        const isOut = path === undefined || OF_OPEN_SERVER.test(path) || capabilities.length === 0;
        return isOut ? [] : [{ path, mount, capabilities, parameters }];
      });
    });
  });
}

/** Returns an example of a path for a pattern that has no alternatives. */
function pathOf(pattern) {
  const text = pattern
    .replaceAll(/framework\.OptionalParamRegex\([^()]*\)/g, '"/example"')
    .replaceAll(/framework\.\w+Regex\([^()]*\)/g, '"example"')
    .replaceAll(/"\s*\+\s*"/g, '')
    .replaceAll(/\(\?P<\w+>(?:[^()]|\([^()]*\))*\)/g, 'example')
    .replaceAll(/\/?\?|\$|\^/g, '');
  return /^["`]([\w./-]+)["`]$/.exec(text)?.[1].replace(/\/$/, '');
}

/** Returns policies with one mistake each. */
function planted({ path, mount, capabilities, parameters }) {
  const right = JSON.stringify(capabilities.includes('create') ? 'update' : capabilities[0]);
  const segments = path.split('/');
  const found = [];
  segments.forEach((segment, index) => {
    if (segment === 'example' || segment.length < 4) return;
    for (const [kind, wrong] of misspellings(segment)) {
      found.push([kind, rule([mount, ...segments.with(index, wrong)].join('/'), right)]);
    }
  });
  const used = capabilities.includes('create') ? [...capabilities, 'update'] : capabilities;
  const other = ['delete', 'list', 'read', 'update'].find((each) => !used.includes(each));
  if (other) found.push(['another capability', rule(`${mount}/${path}`, JSON.stringify(other))]);
  const isWritten = capabilities.some((each) => ['create', 'update', 'patch'].includes(each));
  for (const name of isWritten ? parameters : []) {
    if (name.length < 4) continue;
    for (const [kind, wrong] of misspellings(name)) {
      if (kind === 'upper case') continue;
      const constraint = `denied_parameters = { ${JSON.stringify(wrong)} = [] }`;
      found.push([`parameter: ${kind}`, rule(`${mount}/${path}`, '"update"', constraint)]);
    }
  }
  return found;
}

function misspellings(name) {
  const middle = Math.floor(name.length / 2);
  const swapped = name.slice(0, middle - 1) + name[middle] + name[middle - 1] + name.slice(middle + 1);
  return [
    ['a letter left out', name.slice(0, middle) + name.slice(middle + 1)],
    ['letters swapped', swapped],
    ['upper case', name[0].toUpperCase() + name.slice(1)],
    ['singular or plural', name.endsWith('s') ? name.slice(0, -1) : `${name}s`],
  ].filter(([, wrong]) => wrong !== name);
}

function rule(path, capabilities, constraint = '') {
  return `path "${path}" { capabilities = [${capabilities}] ${constraint} }\n`;
}

function required(name) {
  return process.env[name] || fail(`${name} is not set: see the beginning of scripts/lint-rates.mjs`);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
