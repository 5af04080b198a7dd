const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join, relative, resolve } = require('node:path');
const config = require('./jest.config');

/** Starts other programs: Terraform, npm, servers of others, shells. */
const STARTS_PROGRAMS = /node:child_process|\/support\/(terraform|upstream-mirror|open-server)'/;

/** Folders of tests that try whole programs, or many worlds one after another. */
const SLOW_FOLDERS = [
  'docs',
  'examples',
  'explore',
  'fuzz',
  'package',
  'peers',
  'provider/replication',
  'scripts',
];

/**
 * Files that take about two seconds of a processor or more: they try whole worlds, or the limits of
 * something, by design.
 */
const SLOW_FILES = [
  'certificates/issue',
  'cli/verify/alternatives',
  'client/errors/(hostile-answers|secrets)',
  'constructs/exact-optional',
  'emulator/http/bounds',
  'emulator/replication/(alternatives|crashes|data|filters|partitions|switchover)',
  'emulator/sentinel/enforcement',
  'enforcement/decide',
  'model/acl/attacks',
  'model/acl/audit/audit',
  'model/acl/reasoning/(explain|permitted-request)',
  'model/hcl/bounds',
  'model/policies/policy-change',
  'plugin/conformance/conformance',
  'provider/auto-snapshots/secret-digests',
  'provider/lock-out/attempts',
  'provider/policies/turns',
  'sentinel/evaluate/limits',
  'sentinel/properties/properties',
  'text/redactor',
];

const started = new Map();

/** Whether a file, or one of those that it imports from the tests, starts other programs. */
function startsPrograms(file) {
  if (started.has(file)) return started.get(file);
  started.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/from '(\.[^']+)'/g)]
    .map(([, path]) => resolve(dirname(file), `${path}.ts`))
    // A test may contain code with imports of its own.
    .filter((path) => path.startsWith(join(__dirname, 'test')) && existsSync(path));
  const found = STARTS_PROGRAMS.test(text) || imports.some(startsPrograms);
  started.set(file, found);
  return found;
}

const slow = readdirSync(join(__dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => join(__dirname, 'test', path))
  .filter((path) => path.endsWith('.test.ts') && startsPrograms(path))
  .map((path) => relative(__dirname, path));

/** `npm run test:fast`: what can be tried in a minute, without Terraform. */
module.exports = {
  ...config,
  globalSetup: undefined,
  globalTeardown: undefined,
  // Modules are loaded when a test uses them (`test/support/load-when-used.js`).
  globals: { $loadsWhenUsed: true },
  testPathIgnorePatterns: [
    ...SLOW_FOLDERS.map((folder) => `/test/${folder}/`),
    ...SLOW_FILES.map((file) => `/test/${file}\\.test\\.ts$`),
    ...slow,
  ],
};
