/**
 * Compiles the constructs with jsii, which describes them for other languages in the file `.jsii`:
 * the entry that users of TypeScript import and, as the submodule `bindings`, the bindings that
 * they import one by one.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readJson, ROOT, run, scriptsOf, unlessDone, writeJson } from './files.mjs';
import { commonManifest, folderOf, stage } from './stage.mjs';

const SOURCES = ['constructs', 'src/enforcement', 'src/files', 'src/model', 'src/sentinel', 'src/text'];
/** The script that makes index files load little. */
const LOADER = 'scripts/load-when-used.mjs';
const OWN_JSII = createRequire(import.meta.url).resolve('jsii/bin/jsii');
/** The page that registries of other languages show. */
const PAGE = 'docs/guides/python.md';

/** The accepted warnings, each with its reason. */
const LISTED_WARNINGS = [
  {
    text: 'JSII5018: "namespace" is a reserved word in C#.',
    reason: "it is Vault's own word for the thing, and C# escapes it as @namespace",
  },
  {
    text: 'JSII5019: The property name "namespace" conflicts with the declaring class "Namespace".',
    reason: 'the resource has the argument that all resources have; C# renames the class to _Namespace',
  },
  {
    text: 'JSII5018: "type" is a reserved word in Go.',
    reason: 'an attribute of the bindings, which follow the schema; Go escapes it',
  },
  {
    text: 'JSII5018: "delete" is a reserved word in Go.',
    reason: 'an argument of the bindings, which follow the schema; Go escapes it',
  },
];

/**
 * Compiles the assembly.
 *
 * @param tools the folder for the sources of the assembly, and the compiler.
 * @returns the folder with the compiled constructs and their `.jsii`.
 * @throws Error for code that jsii does not accept.
 */
export async function compileAssembly(flavour, tools = {}) {
  const { folder = folderOf(flavour, 'languages'), jsii = OWN_JSII } = tools;
  const building = scriptsOf('assembly', 'flavours', 'stage');
  const inputs = [...SOURCES, PAGE, 'package.json', 'publisher.json', 'tsconfig.json', LOADER, ...building];
  await unlessDone(
    folder,
    inputs.map((path) => join(ROOT, path)),
    () => {
      stage(flavour, folder, [...SOURCES, PAGE, 'LICENSE']);
      const page = readFileSync(join(folder, PAGE), 'utf8');
      rmSync(join(folder, PAGE));
      writeFileSync(join(folder, 'README.md'), linkedFromElsewhere(page, commonManifest(flavour)));
      stageEntry(folder);
      writeJson(join(folder, 'package.json'), manifest(flavour));
      writeJson(join(folder, 'tsconfig.json'), compilerSettings());
      compile(folder, jsii);
    },
  );
  return folder;
}

/** Replaces links to other pages, for a page in a registry, by links to the repository. */
export function linkedFromElsewhere(page, { version, repository }) {
  const address = repository.url.replace(/^git\+|\.git$/g, '');
  return page.replaceAll('](../', `](${address}/blob/v${version}/docs/`);
}

/**
 * Copies the constructs and, below `bindings`, the bindings of resources and data sources. The
 * binding of the provider is left out, because `VaultCluster` declares the provider.
 */
function stageEntry(folder) {
  const generated = 'generated/providers/vaultadmin';
  const bindings = readdirSync(join(folder, 'constructs', generated), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'provider')
    .map(({ name }) => `export * from './${generated}/${name}';\n`);
  writeFileSync(join(folder, 'constructs', 'bindings.ts'), bindings.join(''));
  writeFileSync(
    join(folder, 'constructs', 'languages.ts'),
    "export * from './index';\nexport * as bindings from './bindings';\n",
  );
}

function manifest(flavour) {
  return {
    ...commonManifest(flavour),
    main: 'lib/constructs/languages.js',
    types: 'lib/constructs/languages.d.ts',
    files: ['.jsii', 'lib/**/*.js', 'lib/provider'],
    peerDependencies: flavour.versions,
    devDependencies: Object.fromEntries(
      Object.entries(flavour.versions).map(([name, range]) => [
        name,
        range.split(' ')[0].replace(/^\D+/, ''),
      ]),
    ),
  };
}

function compilerSettings() {
  const { compilerOptions } = readJson(ROOT, 'tsconfig.json');
  return {
    compilerOptions: { ...compilerOptions, isolatedModules: false, types: ['node'] },
    files: ['constructs/languages.ts'],
  };
}

function compile(folder, jsii) {
  const settings = ['-c', 'tsconfig.json', '--validate-tsconfig', 'minimal', '--fail-up-to-date=false'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [jsii, ...settings], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  const printed = stdout + stderr;
  const diagnostics = printed.split('\n').filter((line) => /\b(error|warning) (JSII|TS)\d+:/.test(line));
  const problems = [...diagnostics.filter((line) => !isListed(line)), ...stale(diagnostics)];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (status !== 0) throw new Error(printed);
  run(process.execPath, [join(ROOT, LOADER), folder]);
}

function isListed(diagnostic) {
  return diagnostic.includes('warning') && LISTED_WARNINGS.some(({ text }) => diagnostic.includes(text));
}

function stale(diagnostics) {
  return LISTED_WARNINGS.filter(({ text }) => !diagnostics.some((line) => line.includes(text))).map(
    ({ text }) => `listed, and no longer given: ${text}; remove it from scripts/flavours/assembly.mjs`,
  );
}
