/**
 * Compiles what the constructs' entry exports with jsii, which the packages for other languages are made with. It refuses every
 * error, every warning that is not listed below, and every listed warning that is no longer given.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Warnings that stay, each with its reason. */
const LISTED_WARNINGS = [
  {
    text: 'JSII5018: "namespace" is a reserved word in C#.',
    reason: "it is Vault's own word for the thing, and C# escapes it as @namespace",
  },
];

const folder = mkdtempSync(join(tmpdir(), 'check-jsii-'));
try {
  writeProject();
  const { printed, diagnostics, succeeded } = compile();
  const problems = [...diagnostics.filter((line) => !isListed(line)), ...stale(diagnostics)];
  if (problems.length > 0 || !succeeded) {
    console.error(problems.length > 0 ? problems.join('\n') : printed);
    process.exitCode = 1;
  } else {
    console.log(`jsii compiles the constructs: 0 errors, ${diagnostics.length} listed warnings`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A project of the constructs and what they import: the package's own compiler settings are not those of jsii. */
function writeProject() {
  mkdirSync(join(folder, 'src'));
  for (const part of ['constructs', 'src/enforcement', 'src/model', 'src/sentinel', 'src/text']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  cpSync(join(ROOT, 'README.md'), join(folder, 'README.md'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageFile()));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings()));
}

function packageFile() {
  const { name, version, description, license, main, types, dependencies, peerDependencies } =
    readJson('package.json');
  const peers = pick({ ...dependencies, ...peerDependencies }, [
    'cdktf',
    'constructs',
    '@cdktf/provider-vault',
  ]);
  return {
    name,
    version,
    description,
    license,
    main,
    types,
    author: { name },
    repository: { type: 'git', url: 'https://example.com/project.git' },
    stability: 'stable',
    jsii: { outdir: 'dist', targets: {} },
    peerDependencies: peers,
    devDependencies: Object.fromEntries(
      Object.entries(peers).map(([peer, range]) => [peer, range.replace('^', '')]),
    ),
  };
}

function compilerSettings() {
  const { compilerOptions } = readJson('tsconfig.json');
  return {
    compilerOptions: { ...compilerOptions, isolatedModules: false, types: ['node'] },
    files: ['constructs/index.ts'],
  };
}

function compile() {
  const jsii = createRequire(import.meta.url).resolve('jsii/bin/jsii');
  const settings = ['-c', 'tsconfig.json', '--validate-tsconfig', 'minimal', '--fail-up-to-date=false'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [jsii, ...settings], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  const printed = stdout + stderr;
  const diagnostics = printed.split('\n').filter((line) => /\b(error|warning) (JSII|TS)\d+:/.test(line));
  return { printed, diagnostics, succeeded: status === 0 };
}

function isListed(diagnostic) {
  return diagnostic.includes('warning') && LISTED_WARNINGS.some(({ text }) => diagnostic.includes(text));
}

function stale(diagnostics) {
  return LISTED_WARNINGS.filter(({ text }) => !diagnostics.some((line) => line.includes(text))).map(
    ({ text }) => `listed, and no longer given: ${text}; remove it from scripts/check-jsii.mjs`,
  );
}

function pick(versions, names) {
  return Object.fromEntries(names.map((name) => [name, versions[name]]));
}

function readJson(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}
