/**
 * The packed package in a project of its own, with each combination of tools that users are likely to have. Runs what this
 * machine has, and says what it could not run. Takes minutes, and needs a package registry.
 *
 *   npm run matrix              every combination
 *   npm run matrix -- 22 cdktn  those whose title holds each of these words
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { combinations, titleOf } from './combinations.mjs';
import { cleanEnvironment, CommandFailed, run } from './commands.mjs';
import { tryProject } from './project.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const words = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
const outcomes = [];
const nodes = new Map();

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

const tarball = pack();
for (const combination of combinations) {
  const title = titleOf(combination);
  if (!words.every((word) => title.includes(word))) continue;
  const started = Date.now();
  const outcome = await outcomeOf(combination);
  console.log(`${outcome.padEnd(8)} ${title} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  outcomes.push(outcome);
}

const count = (outcome) => outcomes.filter((each) => each === outcome).length;
console.log(`${count('ok')} ran, ${count('FAILED')} failed, ${count('NOT RUN')} could not be run`);
if (count('FAILED') > 0) process.exitCode = 1;

async function outcomeOf(combination) {
  let nodeFolder;
  try {
    run(combination.engine, ['version'], { env: cleanEnvironment('', {}) });
    nodeFolder = nodeOf(combination.node);
  } catch (error) {
    console.error(firstLine(error));
    return 'NOT RUN';
  }
  try {
    await tryProject({
      folder: join(folder, 'project'),
      tarball,
      readme: join(root, 'README.md'),
      nodeFolder,
      combination,
    });
    return 'ok';
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    console.error(error.message);
    return 'FAILED';
  }
}

/** The folder with this major version of Node: the one that runs this, or one from npm. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  if (!nodes.has(major)) {
    const prefix = join(folder, `node-${major}`);
    run('npm', ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node@${major}`], {
      env: process.env,
    });
    nodes.set(major, join(prefix, 'node_modules', 'node', 'bin'));
  }
  return nodes.get(major);
}

function pack() {
  const printed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    env: process.env,
  });
  const [, filename] = /"filename": "([^"]+)"/.exec(printed) ?? [];
  return join(folder, filename);
}

function firstLine(error) {
  return error.message.split('\n')[0];
}
