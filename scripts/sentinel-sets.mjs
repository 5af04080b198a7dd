// Runs other people's Sentinel policies with their own tests: each folder within FOLDER is a set. Prints cases passed of
// cases found, and with the expected value of each asserted `main` turned round, how many still pass (none may).
//   node scripts/sentinel-sets.mjs FOLDER [--list]
// The sets are fetched by whoever runs this; none is part of this repository. Run `npm run build` before.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { findPolicies, runTests } = createRequire(import.meta.url)('../lib/src/sentinel/testing/index.js');

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/sentinel-sets.mjs FOLDER [--list]');
  process.exit(2);
}
const total = { found: 0, passed: 0, network: 0, turned: 0 };
for (const name of readdirSync(folder).sort()) {
  const set = join(folder, name);
  if (!statSync(set).isDirectory()) continue;
  const cases = casesOf(set);
  if (cases.length === 0) continue;
  const passed = cases.filter((each) => each.passed).length;
  const failed = cases.filter((each) => !each.passed);
  const network = failed.filter(({ error }) =>
    error?.problem.includes('policies do not send requests here'),
  ).length;
  const turned = turnedRound(set);
  console.log(
    `${name}: ${passed} of ${cases.length} pass` +
      `${network > 0 ? `, ${network} need the network` : ''}; turned round ${turned.length} pass`,
  );
  if (flags.includes('--list')) {
    for (const { path, error, assertions } of failed)
      console.log(`  ${path}: ${error?.message ?? told(assertions)}`);
    for (const { path } of turned) console.log(`  ${path} passes turned round`);
  }
  total.found += cases.length;
  total.passed += passed;
  total.network += network;
  total.turned += turned.length;
}
const share = ((100 * total.passed) / Math.max(1, total.found - total.network)).toFixed(2);
console.log(
  `${total.passed} of ${total.found} pass, ${total.network} need the network: ${share} % of the others; ` +
    `turned round ${total.turned} pass`,
);
process.exitCode = total.turned === 0 && Number(share) >= 99 ? 0 : 1;

function casesOf(set) {
  return runTests(findPolicies([set])).flatMap(({ cases }) => cases);
}

/** The cases that assert a boolean `main`, with its opposite. */
function turnedRound(set) {
  const copy = mkdtempSync(join(tmpdir(), 'sentinel-sets-'));
  try {
    cpSync(set, copy, { recursive: true });
    const turned = new Set();
    for (const { cases } of findPolicies([copy])) {
      for (const path of cases) {
        const text = readFileSync(path, 'utf8');
        const opposite = text.replace(
          /("?\bmain"?\s*[=:]\s*)(true|false)\b/,
          (_, before, value) => `${before}${value !== 'true'}`,
        );
        if (opposite === text) continue;
        writeFileSync(path, opposite);
        turned.add(path);
      }
    }
    return casesOf(copy).filter(({ path, passed }) => passed && turned.has(path));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function told(assertions) {
  return assertions
    .filter(({ holds }) => !holds)
    .map(
      ({ rule, expected, got }) =>
        `${rule} should be ${expected}, was ${got === undefined ? 'not evaluated' : got}`,
    )
    .join('; ');
}
