/** Packs a flavour for npm, with the `.jsii` of its constructs. */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DIST, readJson, ROOT, run, scriptsOf, unlessDone, WORK, writeJson } from './files.mjs';
import { add, commonManifest, folderOf, stage } from './stage.mjs';

const BUNDLER = 'scripts/bundle-provider.mjs';
/** The script that the bundler imports. */
const BUNDLE = 'scripts/provider-bundle.mjs';
/** The scripts that run after the compiler. */
const FINISHERS = ['scripts/load-when-used.mjs', 'scripts/leave-out-types.mjs', 'scripts/generate-sbom.mjs'];
const PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'docs', 'examples/gitops'];
const SOURCES = ['src', 'constructs'];
const PARTS = [...SOURCES, 'package.json', 'publisher.json', 'tsconfig.json', BUNDLER, BUNDLE, ...FINISHERS];

/**
 * Packs a flavour.
 *
 * @param assembly the folder with the compiled constructs.
 * @returns the path of the tarball.
 */
export async function packForNpm(flavour, assembly) {
  const folder = await buildForNpm(flavour);
  addPages(flavour, folder);
  cpSync(join(assembly, '.jsii'), join(folder, '.jsii'));
  mkdirSync(DIST, { recursive: true });
  writeApiPage(flavour, folder);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', DIST];
  const [{ filename }] = JSON.parse(run('npm', args, { cwd: folder }));
  return join(DIST, filename);
}

/**
 * Builds a flavour.
 *
 * @returns the folder with the contents of the package.
 */
async function buildForNpm(flavour) {
  const folder = await sourcesForNpm(flavour);
  if (folder === ROOT) return copyBuilt(flavour);
  await unlessDone(join(folder, 'lib'), inputsOfTwin(), () => {
    compile(folder);
    for (const script of FINISHERS) run(process.execPath, [script], { cwd: folder });
  });
  return folder;
}

/**
 * Copies what was built in the project itself. The project's manifest lacks what only a publisher
 * knows, so it is completed.
 */
function copyBuilt(flavour) {
  const folder = folderOf(flavour, 'npm');
  rmSync(folder, { recursive: true, force: true });
  const manifest = readJson(ROOT, 'package.json');
  for (const path of manifest.files.filter((each) => each !== '.jsii'))
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  writeJson(join(folder, 'package.json'), { ...manifest, ...commonManifest(flavour) });
  return folder;
}

/**
 * Writes the API page of the constructs for sites that show constructs. The page is too large for
 * the package.
 */
function writeApiPage({ name, versions }, folder) {
  const place = mkdtempSync(join(tmpdir(), 'api-'));
  try {
    const copy = (from, to) => {
      mkdirSync(to, { recursive: true });
      for (const file of ['package.json', '.jsii']) copyFileSync(join(from, file), join(to, file));
    };
    copy(folder, place);
    // The tool searches for the descriptions of other packages only below the folder.
    const { resolve } = createRequire(join(folder, 'package.json'));
    for (const each of Object.keys(versions))
      copy(dirname(resolve(`${each}/package.json`)), join(place, 'node_modules', each));
    const docgen = join(WORK, 'node_modules', 'jsii-docgen', 'bin', 'jsii-docgen');
    run(process.execPath, [docgen, '--output', join(DIST, `${name}-api.md`)], { cwd: place });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Prepares the sources of a flavour.
 *
 * @returns the folder with the sources of the package and its provider: the project itself, or
 *   its twin.
 */
export async function sourcesForNpm(flavour) {
  return flavour.framework === 'cdktf' ? ROOT : stageTwin(flavour);
}

/** Copies the project for the other flavour, with the names of its framework in all files. */
async function stageTwin(flavour) {
  const folder = folderOf(flavour, 'npm');
  await unlessDone(folder, inputsOfTwin(), () => {
    stage(flavour, folder, PARTS);
    writeJson(join(folder, 'package.json'), manifest(flavour, readJson(folder, 'package.json')));
    writeJson(join(folder, 'package-lock.json'), lock(flavour, folder));
    run(process.execPath, [BUNDLER], { cwd: folder });
  });
  return folder;
}

function inputsOfTwin() {
  const building = scriptsOf('flavours', 'npm-package', 'stage');
  return [...PARTS, 'package-lock.json', ...building].map((path) => join(ROOT, path));
}

function addPages(flavour, folder) {
  for (const page of PAGES) rmSync(join(folder, page), { recursive: true, force: true });
  add(flavour, folder, PAGES);
  // The changelog is about both packages.
  copyFileSync(join(ROOT, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
}

/** Returns the project's manifest with the ranges of the flavour's own framework. */
function manifest(flavour, { dependencies, devDependencies, peerDependencies, ...others }) {
  const { versions } = flavour;
  const ranged = (ranges) =>
    Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, versions[name] ?? range]));
  return {
    ...others,
    ...commonManifest(flavour),
    dependencies: ranged(dependencies),
    devDependencies: ranged(devDependencies),
    peerDependencies: ranged(peerDependencies),
  };
}

/**
 * Returns the lock file for the list of installed packages: the project's own, with the flavour's
 * packages from the lock file of the tools.
 */
function lock({ framework, bindings }, folder) {
  const ours = readJson(ROOT, 'package-lock.json');
  const theirs = readJson(WORK, 'package-lock.json').packages;
  const isFramework = (path) => path.startsWith(`node_modules/${framework}`);
  const { version, peerDependencies, license } = readJson(WORK, 'node_modules', bindings, 'package.json');
  return {
    ...ours,
    name: readJson(folder, 'package.json').name,
    packages: {
      ...ours.packages,
      '': readJson(folder, 'package.json'),
      ...Object.fromEntries(Object.entries(theirs).filter(([path]) => isFramework(path))),
      [`node_modules/${bindings}`]: { version, peerDependencies, license },
    },
  };
}

function compile(folder) {
  const settings = join(folder, 'tsconfig.build.json');
  writeJson(settings, {
    extends: './tsconfig.json',
    compilerOptions: { types: ['node'] },
    include: SOURCES,
  });
  const tsc = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');
  run(process.execPath, [tsc, '-p', settings], { cwd: folder });
}
