/**
 * Runs the tests of other projects against the emulator, and counts them by area:
 *
 *   npm run foreign -- [--only REGEX] [--jobs N] [--failures] [upstream] [hvac]
 *
 * - `upstream`: the acceptance tests of the provider hashicorp/vault. UPSTREAM_TESTS is the
 *   compiled test of its package `vault`, in the folder of that package; terraform has to be on the
 *   PATH.
 * - `hvac`: the integration tests of the Python client hvac. HVAC_SOURCES is its source tree,
 *   HVAC_PYTHON a Python with the packages for its tests (default: python3).
 *
 * The script leaves out a suite whose variable is not set, with a notice. `--only` selects tests by
 * their names; `--failures` shows the reasons of failures.
 */
import { Argument } from 'commander';
import { npmRun, number } from '../npm-run.mjs';
import { runHvac } from './hvac.mjs';
import { runUpstream } from './upstream.mjs';

const LINE = '!'.repeat(100);
const SUITES = { upstream: runUpstream, hvac: runHvac };

const command = npmRun(
  'foreign',
  'Runs the tests of other projects against the emulator, and counts them by area.',
)
  .addArgument(new Argument('[SUITE...]', 'the suites to run').choices(Object.keys(SUITES)))
  .option('--only <REGEX>', 'select tests by their names', '')
  .option('--jobs <NUMBER>', 'how many run at a time', number, 2)
  .option('--failures', 'show the reasons')
  .parse();
const { only, jobs, failures } = command.opts();
for (const name of command.args.length > 0 ? command.args : Object.keys(SUITES)) {
  const outcome = await SUITES[name]({ only: new RegExp(only), jobs });
  if (typeof outcome === 'string') console.log(`\n${LINE}\nNOT RUN: ${name}. ${outcome}\n${LINE}\n`);
  else print(name, outcome);
}

/**
 * Prints the results of a suite.
 *
 * @param results `{ name, area, outcome, why }`, with the outcomes `passed`, `failed` and
 *   `skipped`.
 */
function print(suite, results) {
  console.log(`\n${suite}\n`);
  const areas = [...new Set(results.map(({ area }) => area))].sort();
  const row = (title, of) => {
    const count = (outcome) => String(of.filter((each) => each.outcome === outcome).length).padStart(7);
    console.log(`  ${title.padEnd(28)}${count('passed')}${count('failed')}${count('skipped')}`);
  };
  console.log(`  ${''.padEnd(28)} passed failed skipped`);
  for (const area of areas)
    row(
      area,
      results.filter((each) => each.area === area),
    );
  row('all', results);
  if (!failures) return;
  for (const { name, outcome, why } of results) if (outcome === 'failed') console.log(`\n${name}\n  ${why}`);
}
