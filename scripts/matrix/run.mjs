/**
 * Tests the packed package in a project of its own, with each combination of tools that users are
 * likely to have. The script lists the combinations for which this machine lacks a tool. It needs a
 * package registry.
 *
 * npm run matrix              every combination, a build with the next jsii, a comparison of two
 *                             builds, and the tests of the provider with the executable
 * npm run matrix -- --short   the few combinations that cover the most
 * npm run matrix -- 22 cdktn  the combinations whose title contains each of these words
 *
 * MATRIX_ENGINES lists more engines to test, in the form of a PATH: executables, or folders with
 * executables. The package must refuse an engine that is too old, and name this reason.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOlder, OLDEST_TERRAFORM } from '../../lib/src/model/versions.js';
import { FLAVOURS } from '../flavours/flavours.mjs';
import { combinations, titleOf, withEngine } from './combinations.mjs';
import { cleanEnvironment, CommandFailed, output } from './commands.mjs';
import { tarballOf } from '../flavours/tools.mjs';
import { compileWithNextJsii } from './next-jsii.mjs';
import { isPreview, nameIn, packagesOf, Project, versionIn } from './project.mjs';
import { npmRun } from '../npm-run.mjs';
import { findEngine, moreEngines, NotAvailable, Tools } from './tools.mjs';

const command = npmRun(
  'matrix',
  'Tests the packed package in a project of its own, with combinations of tools.',
)
  .argument('[WORD...]', 'each has to be in the title of a combination')
  .option('--short', 'the few combinations that cover the most')
  .parse();
const words = command.args;
const { short } = command.opts();
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
const tools = new Tools(join(folder, 'tools'));
const others = moreEngines();

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const packed = new Map();
const chosen = (short ? combinations.filter((each) => each.short) : combinations)
  .concat(others.map(withEngine))
  .filter((combination) => words.every((word) => titleOf(combination).includes(word)));
if (chosen.length === 0) throw new Error(`no combination's title holds all of: ${words.join(', ')}`);
const outcomes = [];
for (const combination of chosen) {
  const started = Date.now();
  const { outcome, what, because } = await outcomeOf(combination);
  console.log(`${outcome.padEnd(8)} ${what} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  if (because) console.log(because.replaceAll(/^/gm, '         '));
  outcomes.push(outcome);
}

const count = (outcome) => outcomes.filter((each) => each === outcome).length;
const exceptions = ['FAILED', 'NOT RUN'].filter((outcome) => count(outcome) > 0);
console.log(
  [`Matrix: ${count('ok')} of ${chosen.length} combinations work`]
    .concat(exceptions.map((outcome) => `${count(outcome)} ${outcome}`))
    .join(', '),
);
if (count('FAILED') > 0) process.exitCode = 1;
if (!short && words.length === 0) {
  await tryNextJsii();
  await import('../check-reproducible.mjs');
  testExecutable();
}

async function tryNextJsii() {
  try {
    console.log(`ok       ${await compileWithNextJsii()}`);
  } catch (error) {
    if (error instanceof NotAvailable) return console.log(`NOT RUN  ${error.message}`);
    console.log(`FAILED   the next jsii: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Runs all tests of the provider with the executable. */
function testExecutable() {
  const script = join(root, 'scripts', 'executables', 'test.mjs');
  const { status } = spawnSync(process.execPath, [script, '--all'], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

async function outcomeOf(combination) {
  let what = titleOf(combination);
  try {
    const engine = findEngine(combination.engine, others);
    const paths = [tools.node(combination.node), ...tools.manager(combination.manager)];
    tools.requirePackages(packagesOf(combination));
    const project = new Project({
      folder: join(folder, 'project'),
      env: environment(paths, engine),
      combination,
    });
    const { tarball, more } = withPreview(combination, packageOf(combination.flavour));
    project.install(tarball, join(root, 'README.md'), more);
    what = exactTitle(combination, paths, engine, project);
    if (isOlder(engine.version, OLDEST_TERRAFORM)) {
      project.beRefused(engine);
      return { outcome: 'ok', what: `${what}, which is too old and says so` };
    }
    await project.live(engine);
    return { outcome: 'ok', what };
  } catch (error) {
    if (error instanceof NotAvailable) return { outcome: 'NOT RUN', what, because: error.message };
    return { outcome: 'FAILED', what, because: error instanceof CommandFailed ? error.message : error.stack };
  }
}

/** Returns the title of a combination with the exact versions that were used. */
function exactTitle({ manager, framework, cli, ...combination }, paths, engine, project) {
  const env = cleanEnvironment(paths);
  const [command, , feature = ''] = manager.split(/(@\d+)/);
  const { framework: library } = FLAVOURS[combination.flavour];
  const installed = project.versionsOf(['typescript', library, 'constructs', ...(cli ? [nameIn(cli)] : [])]);
  const [typescript, frameworkVersion, constructs, cliVersion] = installed;
  return titleOf({
    ...combination,
    node: output('node', ['-p', 'process.versions.node'], { env }),
    manager: `${command} ${output(command, ['--version'], { env })}${feature}`,
    typescript,
    framework: `${nameIn(framework)} ${frameworkVersion}`,
    constructs,
    cli: cli && `${nameIn(cli)} ${cliVersion}`,
    engine: `${engine.product} ${engine.version}`,
  });
}

/** Returns the environment variables of all projects, with another home folder than the user's. */
function environment(paths, engine) {
  return cleanEnvironment([join(folder, 'project', 'node_modules', '.bin'), ...paths], {
    ...tools.registrySettings(),
    HOME: join(folder, 'home'),
    XDG_CACHE_HOME: join(folder, 'home', '.cache'),
    TERRAFORM_BINARY_NAME: engine.command,
  });
}

/** Returns the package of a flavour, and its dependencies that the registry lacks. */
function packageOf(flavour) {
  if (!packed.has(flavour))
    packed.set(flavour, flavour === 'cdktf' ? { tarball: pack(root), more: {} } : packTwin(flavour));
  return packed.get(flavour);
}

/** Adds the tarball of the framework's pre-release, because the registry may lack it. */
function withPreview({ framework }, { tarball, more }) {
  if (!isPreview(framework)) return { tarball, more };
  const [name, version] = [nameIn(framework), versionIn(framework)];
  try {
    return {
      tarball,
      more: { ...more, [name]: tarballOf({ name, version }, mkdtempSync(join(folder, 'preview-'))) },
    };
  } catch (error) {
    throw new NotAvailable(error.message);
  }
}

/**
 * Packs the other flavour.
 *
 * @throws NotAvailable if the machine lacks a tool for it.
 */
function packTwin(flavour) {
  const { bindings } = FLAVOURS[flavour];
  let file;
  try {
    file = output(process.execPath, [join(root, 'scripts', 'flavours', 'run.mjs'), flavour, 'npm'], {
      cwd: root,
      env: process.env,
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new NotAvailable(
      `the package for ${flavour} cannot be built here: ${error.message.split('\n')[0]}`,
    );
  }
  const installed = join(root, 'dist', 'work', 'node_modules', bindings);
  return { tarball: join(root, file), more: tools.has(bindings) ? {} : { [bindings]: pack(installed) } };
}

function pack(cwd) {
  const printed = output('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd,
    env: process.env,
  });
  const [, filename] = /"filename": "([^"]+)"/.exec(printed) ?? [];
  return join(folder, filename);
}
