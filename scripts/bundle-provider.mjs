/**
 * Bundles the provider into lib/provider/ or the folder given: the file that Terraform starts, the provider, and what most of
 * the processes that Terraform starts do not need, each in a file that is read when it is: to read the sources takes Node
 * longer than to run what they do before the handshake. Answers that are always the same are encoded once, here. The files are the same, byte for byte, wherever they are built
 * from the same sources: one hash in a lock file holds for every platform.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'src', 'provider');
const target = process.argv[2] ?? join(root, 'lib', 'provider');
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const oldestNode = engines.node.replace('>=', '');
const executable = join(target, `terraform-provider-vaultadmin_v${version}`);

if (!existsSync(sources)) {
  console.error(`${sources} is missing: there is no provider to bundle`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

/** Loads the other files. All of them share one copy. */
const CODE_CACHE = { 'code-cache.js': ['./src/provider/code-cache'] };
const HANDSHAKE = { 'handshake.js': ['./src/provider/main'] };
/** Loaded while Terraform connects. */
const CONNECTION = { 'connection.js': ['./src/plugin/plugin-server'] };
/** What the provider's sources `require` where they need it, by the file that it is in. */
const LATER = {
  'provider.js': ['./src/provider/served', './src/provider/known-answers'],
  'undici.js': ['./src/client/transport/undici'],
  'sentinel.js': ['./src/model/sentinel', './src/provider/lock-out/judge'],
};
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: `node${oldestNode}`,
  format: 'cjs',
  // ES modules first: what is not used of them is left out.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  // Names stay, without `keepNames`, which would define a property for every closure: crash reports are read by people.
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

await build({
  ...common,
  entryPoints: [join(sources, 'start.ts')],
  outfile: executable,
  // It tells every Node what is wrong with it.
  target: 'node6.5',
  banner: { js: shellPart() },
  plugins: [filesBeside(CODE_CACHE), filesBeside(HANDSHAKE, 'loadCached')],
});
await bundle('handshake.js', { entryPoints: [join(sources, 'main.ts')] });
for (const [file, modules] of Object.entries({ ...CODE_CACHE, ...CONNECTION, ...LATER })) {
  const contents = modules.map((module) => `export * from '${module}';`).join('\n');
  await bundle(file, { stdin: { contents, resolveDir: root } });
}
for (const file of Object.keys({ ...HANDSHAKE, ...CONNECTION, ...LATER })) {
  if (/[^\0-\x7f]/.test(readFileSync(join(target, file), 'utf8'))) {
    throw new Error(`${file} has more than ASCII, which it is read as`);
  }
}
const { SERVED, writeKnownAnswers } = createRequire(import.meta.url)(join(target, 'provider.js'));
await writeKnownAnswers(target, SERVED());
chmodSync(executable, 0o755);
// Keeps Node from taking the file for an ES module where a package.json above the stack says so.
writeFileSync(join(target, 'package.json'), '{"type":"commonjs"}\n');

/** Bundles a file that the executable loads, and that loads others. */
async function bundle(file, entry) {
  const others = (files) => Object.fromEntries(Object.entries(files).filter(([name]) => name !== file));
  await build({
    ...common,
    ...entry,
    outfile: join(target, file),
    plugins: [
      filesBeside(others(CODE_CACHE)),
      filesBeside(others(CONNECTION), 'loadCached'),
      filesBeside(others(LATER), 'loadCachedOptimizedLate'),
      withoutSideEffects(),
    ],
  });
}

/**
 * Leaves required modules out of a bundle, which loads them from files in its own folder.
 *
 * @param load the function of src/provider/code-cache.ts that loads them. By default, Node's `require` does.
 */
function filesBeside(modulesByFile, load) {
  const namespace = `beside, ${load}`;
  return {
    name: 'files-beside',
    setup({ onLoad, onResolve }) {
      if (load) {
        onLoad({ filter: /./, namespace }, ({ path }) => ({
          contents: `module.exports = require('./src/provider/code-cache').${load}(__dirname, '${path}');`,
          resolveDir: root,
        }));
      }
      onResolve({ filter: /^[^/]/ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'require-call' || importer.includes('node_modules')) return undefined;
        const module = path.startsWith('.') ? `./${relative(root, join(resolveDir, path))}` : path;
        const file = Object.keys(modulesByFile).find((each) => modulesByFile[each].includes(module));
        return file && (load ? { path: file, namespace } : { path: `./${file}`, external: true });
      });
    },
  };
}

/** Leaves out sources of which nothing is used: to import a source has no other effect than its definitions. */
function withoutSideEffects() {
  const SEEN = Symbol('seen');
  return {
    name: 'without-side-effects',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === SEEN || kind !== 'import-statement' || importer.includes('node_modules'))
          return undefined;
        const resolved = await resolve(path, { kind, importer, resolveDir, pluginData: SEEN });
        return resolved.errors.length > 0 ? undefined : { path: resolved.path, sideEffects: false };
      });
    },
  };
}

/**
 * What a shell reads of the executable, and Node takes for texts and comments: where there is no Node, it says so on stdout.
 * Of a plugin that fails to start, Terraform shows the first line there.
 */
function shellPart() {
  const missing =
    'The provider vaultadmin is a Node.js program, and there is no "node" in the PATH of Terraform: ' +
    `install Node.js ${oldestNode} or newer, and have it in that PATH`;
  return `#!/bin/sh
":" //; command -v node >/dev/null || { echo '${missing}'; exit 1; }
":" //; exec node "$0" "$@"`;
}
