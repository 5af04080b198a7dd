/**
 * Measures whether the search notices changed decisions of replication. Stryker's instrumenter puts
 * all mutants of the decisions into one bundle with the search, which then runs with one mutant at
 * a time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';

import { bundleTest } from './bundle-test.mjs';
import { inProcesses } from './processes/pool.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const DECISIONS = join(root, 'src', 'provider', 'replication', 'set', 'decide');
const LEAST = 0.95;

/** Mutants of texts are left out, because texts are not decisions. */
const OPTIONS = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };
const LOG = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: console.warn };

/**
 * Runs the search with a sample of the mutants, and prints for each of them whether and how the
 * search noticed it.
 *
 * @param sample the number of mutants.
 * @param seed the same seed gives the same order of the mutants.
 * @param skip the number of mutants that are left out at the beginning of that order.
 * @returns whether enough of the mutants that change a decision or a message are noticed.
 */
export async function mutateDecide({ sample, seed, skip }) {
  const given = readdirSync(DECISIONS).map((name) => join(DECISIONS, name));
  const { files, mutants } = await new Instrumenter(LOG).instrument(
    given.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    OPTIONS,
  );
  const outfile = await bundleTest('explore/apply/mutants.ts', 'mutants.cjs', [replacing(files)]);
  const decisions = mutants.filter(({ status }) => status !== 'Ignored');
  const chosen = shuffled(decisions, seed).slice(skip, skip + sample);
  console.log(`${decisions.length} mutants, ${chosen.length} of them searched (seed ${seed})`);
  const counts = { property: 0, figures: 0, unnoticed: 0, same: 0, 'not reached': 0, static: 0 };
  const verdicts = inProcesses(
    outfile,
    'judge',
    chosen.map(({ id }) => id),
  );
  for (const [index, { fileName, mutatorName, location, replacement }] of chosen.entries()) {
    const { verdict, where = '' } = await verdicts[index];
    counts[verdict] += 1;
    const { line, column } = location.start;
    const at = `${relative(root, fileName)}:${line + 1}:${column + 1}`;
    const code = replacement.replace(/\s+/g, ' ').slice(0, 60);
    console.log([verdict, at, mutatorName, code, where].join('\t'));
  }
  const { property, figures, unnoticed } = counts;
  const score = (property + figures) / Math.max(1, property + figures + unnoticed);
  console.log(`${JSON.stringify(counts)}\n${(100 * score).toFixed(1)} % of the changes are noticed`);
  return score >= LEAST;
}

function replacing(files) {
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  return {
    name: 'mutants',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        contents.has(path) ? { contents: contents.get(path), loader: 'ts' } : undefined,
      );
    },
  };
}

function shuffled(list, seed) {
  let state = (seed * 104_729 + 7_919) % 2_147_483_647;
  const random = () => (state = (state * 48271) % 2147483647);
  return list
    .map((each) => ({ each, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each);
}
