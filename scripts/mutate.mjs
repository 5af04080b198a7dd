/**
 * Measures whether the tests of the code that decides can fail: `npm run mutate [-- FILES]`.
 * Stryker changes one expression at a time and runs the tests that mirror the file's folder. A
 * change that no test notices is a survivor: either a test is missing, or the code has no effect
 * and can go. Mutants of a file that has not changed since the last run are not repeated. Fails
 * below 95 %.
 *
 * `npm run mutate -- --decide [--sample 100] [--seed 1]` changes the decisions of an apply of
 * replication. `npm run explore`, the search of replication's states, has to notice the changes.
 */
import { dirname } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { mutateDecide } from './mutate-decide.mjs';
import { npmRun, number } from './npm-run.mjs';

const CODE_THAT_DECIDES = [
  'src/model/acl/**/*.ts',
  'src/model/replication/**/*.ts',
  'src/provider/replication/set/planner/**/*.ts',
];
const command = npmRun('mutate', 'Measures whether the tests of the code that decides can fail.')
  .argument('[FILE...]', 'the sources to change (default: the code that decides)')
  .option('--decide', 'measure the decisions of an apply of replication, which the search has to notice')
  .option('--sample <NUMBER>', 'with --decide: how many changes', number, 100)
  .option('--seed <NUMBER>', 'with --decide: of their selection', number, 1)
  .option(
    '--skip <NUMBER>',
    'with --decide: how many changes of that selection were searched before',
    number,
    0,
  )
  .parse();
const { decide, sample, seed, skip } = command.opts();
const files = command.args;
if (decide) {
  const isEnough = await mutateDecide({ sample, seed, skip });
  process.exit(isEnough ? 0 : 1);
}

const mutate = files.length > 0 ? files : CODE_THAT_DECIDES;

/** The tests of src/a/b are in test/a/b. */
const testsOf = (file) =>
  `<rootDir>/test/${dirname(file.replace(/^src\//, '')).replace(/\/\*\*$/, '')}/**/*.test.ts`;

const results = await new Stryker({
  mutate,
  testRunner: 'jest',
  jest: {
    enableFindRelatedTests: false,
    config: { testMatch: [...new Set(mutate.map(testsOf))], globalSetup: null, globalTeardown: null },
  },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'node_modules/.cache/mutate.json',
  ignorePatterns: ['/lib', '/docs', '/examples', '/bench', '/constructs', 'cdktf.out'],
  concurrency: 1,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: process.stdout.isTTY, reportTests: false, reportScoreTable: true },
  thresholds: { high: 95, low: 95, break: 95 },
  allowEmpty: false,
  cleanTempDir: 'always',
  disableTypeChecks: false,
}).runMutationTest();
if (results.length === 0) throw new Error(`nothing to mutate in ${mutate.join(', ')}`);
