/**
 * Runs the tests of other projects against the emulator, and counts them by area:
 *
 *   npm run foreign -- [--only REGEX] [--jobs N] [--failures] [upstream] [hvac]
 *
 * - `upstream`: the acceptance tests of the provider hashicorp/vault. UPSTREAM_TESTS is the
 *   compiled test of its package `vault`, in the folder of that package; terraform has to be on the
 *   PATH.
 * - `hvac`: the integration tests of the Python client. HVAC_SOURCES is its source tree,
 *   HVAC_PYTHON a Python that has the packages that its tests need (default: python3).
 *
 * A suite that is not at hand is left out, with a notice. `--only` selects tests by their names;
 * `--failures` shows the reasons.
 */
import { parseArgs } from 'node:util';
import { runHvac } from './hvac.mjs';
import { runUpstream } from './upstream.mjs';

const LINE = '!'.repeat(100);
const SUITES = { upstream: runUpstream, hvac: runHvac };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    failures: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  console.error(`unknown suite "${unknown[0]}"; allowed are ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}
for (const name of positionals.length > 0 ? positionals : Object.keys(SUITES)) {
  const outcome = await SUITES[name]({ only: new RegExp(values.only), jobs: Number(values.jobs) });
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
  if (!values.failures) return;
  for (const { name, outcome, why } of results) if (outcome === 'failed') console.log(`\n${name}\n  ${why}`);
}
