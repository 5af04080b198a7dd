/**
 * Builds the wheel of a flavour: the code that jsii generates from the constructs, with the command
 * line and the emulator, which run without jsii.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { DIST, filesBelow, readJson, ROOT, run, scriptsOf, unlessDone, WORK } from './files.mjs';
import { sourcesForNpm } from './npm-package.mjs';
import { folderOf, stage } from './stage.mjs';

const BUILDING = [
  ...scriptsOf('flavours', 'npm-package', 'python-package', 'stage'),
  'scripts/bundle-provider.mjs',
  'scripts/provider-bundle.mjs',
];
/**
 * The sources that are written by hand. `vault_admin_tools` becomes a top-level package whose name
 * contains that of the flavour.
 */
const TOOLS = 'python/vault_admin_tools';

/**
 * Builds a wheel.
 *
 * @param assembly the folder with the compiled constructs.
 * @returns the path of the wheel.
 */
export async function packForPython(flavour, assembly) {
  const folder = folderOf(flavour, 'python');
  const inputs = ['src', 'constructs', 'python', 'docs/guides/python.md', 'package.json', ...BUILDING];
  await unlessDone(
    folder,
    inputs.map((path) => join(ROOT, path)),
    async () => {
      rmSync(folder, { recursive: true, force: true });
      const packageSources = await sourcesForNpm(flavour);
      cpSync(join(packageSources, 'lib', 'provider'), join(assembly, 'lib', 'provider'), { recursive: true });
      generate(assembly, folder);
      inWordsOfPython(assembly, join(folder, 'python', 'src'));
      await addTools(flavour, packageSources, join(folder, 'python'));
      requireNode(flavour, join(folder, 'python', 'src'));
      buildWheel(join(folder, 'python'));
    },
  );
  const [wheel] = readdirSync(join(folder, 'python', 'wheel'));
  mkdirSync(DIST, { recursive: true });
  cpSync(join(folder, 'python', 'wheel', wheel), join(DIST, wheel));
  return join(DIST, wheel);
}

function generate(assembly, folder) {
  const pacmak = join(WORK, 'node_modules', 'jsii-pacmak', 'bin', 'jsii-pacmak');
  const args = ['--target', 'python', '--code-only', '--outdir', folder, assembly];
  run(process.execPath, [pacmak, ...args], { env: { ...process.env, ...SILENT } });
}

/** The variable that turns off jsii's note about versions of Node at every start. */
const SILENT = { JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20' };

/** The replacements for docstrings that the generator writes in an unusual way, or leaves out. */
const DOCSTRINGS = [
  [/\{@link ([\w.]+)\}/g, '``$1``'],
  [/:throws:\s+Error /g, ':raises RuntimeError: '],
  [/:param scope: -(?=\n *:param id: -$)/gm, ':param scope: The construct that this one belongs to.'],
  [/:param id: -$/gm, ':param id: The name of the construct, unique within its scope.'],
  [/^ *:param \w+: -\n/gm, ''],
  [/(Default: |:default: )- /g, '$1'],
];

/** Replaces the code in docstrings, which is TypeScript, by Python. */
function inWordsOfPython(assembly, sources) {
  const require = createRequire(import.meta.url);
  const { PYTHON } = require(join(assembly, 'lib', 'src', 'model', 'messages', 'notation.js'));
  for (const file of filesBelow(sources).filter((name) => name.endsWith('.py'))) {
    const written = DOCSTRINGS.reduce(
      (text, [from, to]) => text.replace(from, to),
      readFileSync(file, 'utf8'),
    );
    writeFileSync(
      file,
      written.replace(/``([^`\n]+)``/g, (_match, source) => `\`\`${PYTHON.code(source)}\`\``),
    );
  }
}

/** Adds a check for Node, without which the runtime of jsii fails with an obscure error. */
function requireNode(flavour, sources) {
  const { module } = flavour.targets.python;
  const file = join(sources, module, '_jsii', '__init__.py');
  const check = `from ${module}_tools.node import find_node as _find_node\n\n_find_node()\n`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^import jsii$/m, `${check}\nimport jsii`));
}

async function addTools(flavour, packageSources, project) {
  const sources = join(project, 'src');
  const name = flavour.targets.python.module;
  const tools = join(sources, `${name}_tools`);
  cpSync(join(stageTools(flavour), TOOLS), tools, { recursive: true });
  await bundleCommandLine(packageSources, join(tools, 'vault-admin.js'));

  const setup = join(project, 'setup.py');
  const text = readFileSync(setup, 'utf8');
  const [, before, json, after] = /^([\s\S]*?""")([\s\S]*?)("""[\s\S]*)$/.exec(text);
  const settings = JSON.parse(json);
  settings.packages.push(`${name}_tools`);
  settings.package_data[`${name}_tools`] = ['py.typed', 'vault-admin.js'];
  settings.entry_points = {
    console_scripts: ['vault-admin', flavour.name].map(
      (command) => `${command}=${name}_tools.command_line:main`,
    ),
    pytest11: [`${flavour.framework}_vault_admin=${name}_tools.pytest_plugin`],
  };
  writeFileSync(setup, `${before}\n${JSON.stringify(settings, null, 4)}\n${after}`);
}

function stageTools(flavour) {
  const folder = folderOf(flavour, 'python-tools');
  stage(flavour, folder, [TOOLS]);
  return folder;
}

/**
 * Bundles the command line into one file, without the packages that a user installs for storage in
 * a cloud.
 */
async function bundleCommandLine(folder, file) {
  const { peerDependencies, engines } = readJson(folder, 'package.json');
  await build({
    absWorkingDir: folder,
    entryPoints: [join(folder, 'src', 'cli', 'main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: `node${engines.node.replace('>=', '')}`,
    format: 'cjs',
    mainFields: ['module', 'main'],
    external: Object.keys(peerDependencies),
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  chmodSync(file, 0o755);
}

function buildWheel(project) {
  const settings = join(project, 'pyproject.toml');
  writeFileSync(
    settings,
    readFileSync(settings, 'utf8').replace(/^requires = .*$/m, 'requires = ["setuptools~=75.3.2"]'),
  );
  run('python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheel', '.'], {
    cwd: project,
    // A fixed date gives every build the same bytes.
    env: { ...process.env, SOURCE_DATE_EPOCH: '315619200' },
  });
}
