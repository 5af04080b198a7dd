// Runs other people's Sentinel policies with their own tests: each folder within FOLDER is a set.
// Prints the number of passed cases; the number of cases that still pass if the expected `main` is
// replaced by its opposite, which must be 0; the texts that do not parse; and the texts whose
// meaning `fmt` changes, or that a second run of `fmt` changes again.
//   node scripts/sentinel-sets.mjs FOLDER [--list]
// No set is part of this repository: fetch the sets first. Run `npm run build` before.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const load = createRequire(import.meta.url);
const { findPolicies, runTests } = load('../lib/src/sentinel/testing/index.js');
const { format, parse } = load('../lib/src/sentinel/index.js');

/**
 * The cases that are wrong according to the documentation of Sentinel, by the end of their paths.
 */
const WRONG = [
  {
    path: /\/businesshours-policy\/(success|fail)[^/]*$/,
    why: 'sets a global that the policy does not read: follows the clock',
  },
  {
    path: /\/prevent-kv-v1-engines\/fail-Sales-SE-no-version\.json$/,
    why: 'takes an empty map for undefined, a defect that Sentinel 0.18.3 removed',
  },
  {
    path: /\/custom_metadata_validation\/pass_all\.json$/,
    why: 'sends a field that its own policy does not list',
  },
];

/** The reasons why a failing case is not a fault of this project, by the error that stops it. */
const STOPPED = [
  { problem: /policies do not send requests here|https?:\/.*could not be read/, why: 'needs the network' },
  { problem: /could not be read \(ENOENT\)/, why: 'lacks its own files' },
  { problem: /^the import "[^"]+" is already imported$/, why: 'imports twice, which Sentinel 0.8.0 forbade' },
  { problem: /^append has no result/, why: 'uses the result of append, which Sentinel 0.12 forbade' },
];

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/sentinel-sets.mjs FOLDER [--list]');
  process.exit(2);
}
const totals = { found: 0, passed: 0, excused: 0, turned: 0, files: 0, faults: 0 };
for (const name of readdirSync(folder).sort()) {
  const set = join(folder, name);
  if (statSync(set).isDirectory()) report(name, set);
}
const { found, passed, excused, turned, files, faults } = totals;
const share = ((100 * passed) / Math.max(1, found - excused)).toFixed(2);
console.log(
  `all: ${passed} of ${found} pass, ${excused} are excused, ${share} % of the others; turned round ${turned} pass; ` +
    `${files} texts, ${faults} with faults`,
);
process.exitCode = turned === 0 && faults === 0 && Number(share) >= 99.5 ? 0 : 1;

function report(name, set) {
  const cases = casesOf(set);
  const failed = cases.filter((each) => !each.passed);
  const excuses = failed.map((each) => [each, excuseOf(each)]);
  const stillPass = turnedRound(set);
  const texts = textsIn(set).map((path) => [path, faultOf(readFileSync(path, 'utf8'))]);
  const faulty = texts.filter(([, fault]) => fault !== undefined);
  const counts = new Map();
  for (const [, why] of excuses) if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1);
  const excused = [...counts].map(([why, count]) => `, ${count} ${why}`).join('');
  console.log(
    `${name}: ${cases.length - failed.length} of ${cases.length} pass${excused}; turned round ${stillPass.length} pass; ` +
      `${texts.length} texts, ${faulty.length} with faults`,
  );
  if (flags.includes('--list')) {
    for (const [{ path, error, assertions }, why] of excuses) {
      if (why === undefined)
        console.log(`  ${relative(folder, path)}: ${error?.message ?? failuresOf(assertions)}`);
    }
    for (const { path } of stillPass) console.log(`  ${path} passes turned round`);
    for (const [path, fault] of faulty) console.log(`  ${relative(folder, path)}: ${fault}`);
  }
  totals.found += cases.length;
  totals.passed += cases.length - failed.length;
  totals.excused += excuses.filter(([, why]) => why !== undefined).length;
  totals.turned += stillPass.length;
  totals.files += texts.length;
  totals.faults += faulty.length;
}

function casesOf(set) {
  return runTests(findPolicies([set])).flatMap(({ cases }) => cases);
}

function excuseOf({ path, error }) {
  const wrong = WRONG.find((each) => each.path.test(path));
  return wrong?.why ?? STOPPED.find(({ problem }) => error && problem.test(error.problem))?.why;
}

/**
 * Returns the cases that still pass after their expected `main`, a boolean, was replaced by its
 * opposite.
 */
function turnedRound(set) {
  const copy = mkdtempSync(join(tmpdir(), 'sentinel-sets-'));
  try {
    cpSync(set, copy, { recursive: true });
    const turned = new Set();
    for (const { cases } of findPolicies([copy])) {
      for (const path of cases) {
        const text = readFileSync(path, 'utf8');
        const opposite = text.replace(
          /^((?:[^#\n]*[^\w#\n])?"?main"?\s*[=:]\s*)(true|false)\b/gm,
          (_, before, value) => `${before}${value !== 'true'}`,
        );
        if (opposite === text) continue;
        writeFileSync(path, opposite);
        turned.add(path);
      }
    }
    return casesOf(copy).filter(
      ({ path, passed: passes }) =>
        passes && turned.has(path) && !WRONG.some((wrong) => wrong.path.test(path)),
    );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function textsIn(set) {
  return readdirSync(set, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sentinel'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns the fault in reading or formatting a text; `undefined` if there is no fault. */
function faultOf(text) {
  try {
    const meaning = meaningOf(text);
    const formatted = format(text, 'policy');
    if (meaningOf(formatted) !== meaning) return 'fmt changes what it means';
    return format(formatted, 'policy') === formatted ? undefined : 'fmt changes what it wrote';
  } catch (error) {
    return error.message;
  }
}

/** Returns the tree of a text without its positions and comments. */
function meaningOf(text) {
  const { comments, ...file } = parse(text, 'policy');
  const withoutPlaces = (key, value) => {
    if (['source', 'start', 'end'].includes(key) || /span$/i.test(key)) return undefined;
    return typeof value === 'bigint' ? `${value}n` : value;
  };
  const words = comments.map((each) => each.text.split('\n').map((line) => line.trim()));
  return JSON.stringify([file, words], withoutPlaces);
}

function failuresOf(assertions) {
  return assertions
    .filter(({ holds }) => !holds)
    .map(
      ({ rule, expected, got }) =>
        `${rule} should be ${expected}, was ${got === undefined ? 'not evaluated' : got}`,
    )
    .join('; ');
}
