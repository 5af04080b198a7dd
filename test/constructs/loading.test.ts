import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as sources from '../../constructs';

const ROOT = join(__dirname, '..', '..');
const ENTRY = join(ROOT, 'lib', 'constructs', 'index.js');
const OF_FRAMEWORK = /^node_modules\/(?!@cdk)/;

/** Runs a program, and returns what it prints as JSON. */
function printedBy(program: string, ...options: readonly string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [...options, '--eval', program], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as readonly string[];
}

/** Returns the files that a program loads with the compiled constructs, without the framework's. */
function loadedBy(use: string): readonly string[] {
  const files = printedBy(
    `const constructs = require(${JSON.stringify(ENTRY)}); ${use};
    console.log(JSON.stringify(Object.keys(require.cache)));`,
  );
  return files.map((file) => relative(ROOT, file)).filter((file) => !OF_FRAMEWORK.test(file));
}

test('the package, imported without using a name, loads one file', () => {
  expect(loadedBy('')).toEqual(['lib/constructs/index.js']);
});

test('all classes together load no bindings, and only the modules that classes need before their first use', () => {
  const loaded = loadedBy('({ ...constructs })');
  expect(loaded).toContain('lib/constructs/policies/acl-policy.js');
  expect(loaded.filter((file) => /generated|provider-vault|private|lib\/src/.test(file))).toEqual([
    'lib/constructs/private/expectations.js',
    'lib/src/model/messages/index.js',
    'lib/src/model/messages/phrase.js',
    // Base classes, and the mark by which a class is recognized.
    'lib/constructs/audit-devices/private/audit-device-base.js',
    'lib/constructs/auto-snapshots/private/auto-snapshot-base.js',
    'lib/constructs/managed-keys/private/managed-key-base.js',
    'lib/constructs/private/brand.js',
    'lib/constructs/policies/private/policy-base.js',
  ]);
});

test('the compiled package, imported by require and by import, has the names of its sources', () => {
  const names = Object.keys(sources).sort();
  expect(
    printedBy(`console.log(JSON.stringify(Object.keys(require(${JSON.stringify(ENTRY)})).sort()))`),
  ).toEqual(names);
  const imported = printedBy(
    `import * as all from ${JSON.stringify(pathToFileURL(ENTRY).href)};
    console.log(JSON.stringify(Object.keys(all).sort()));`,
    '--input-type=module',
  );
  // Node.js adds these to the names of every CommonJS module.
  const added = ['__esModule', 'default', 'module.exports'];
  expect(imported.filter((name) => !added.includes(name))).toEqual(names);
});
