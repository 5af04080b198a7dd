/**
 * Bundles the provider into lib/provider/ or the folder given: the file that Terraform starts, the provider, and the HTTP
 * client's connection pool, which is as large as all the rest and not needed in most of the processes that Terraform
 * starts. The files are the same, byte for byte, wherever they are built from the same sources: one hash in a lock file
 * holds for every platform.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'src', 'provider');
const target = process.argv[2] ?? join(root, 'lib', 'provider');
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const executable = join(target, `terraform-provider-vaultadmin_v${version}`);

if (!existsSync(sources)) {
  console.error(`${sources} is missing: there is no provider to bundle`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const POOL = 'undici/lib/dispatcher/pool';
const FILES = { './main': './provider.js', [POOL]: './undici-pool.js' };
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  // ES modules first: what is not used of them is left out.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  // Names stay, without `keepNames`, which would define a property for every closure: crash reports are read by people.
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    {
      name: 'files-beside',
      setup({ onResolve }) {
        const filter = new RegExp(`^(${Object.keys(FILES).join('|').replaceAll('.', '\\.')})$`);
        onResolve({ filter }, ({ path }) => ({ path: FILES[path], external: true }));
      },
    },
  ],
};
const bundled = (name) => join(target, FILES[name]);

await build({
  ...common,
  entryPoints: [join(sources, 'start.ts')],
  outfile: executable,
  // It tells every Node what is wrong with it.
  target: 'node6.5',
  banner: { js: shellPart(engines.node.replace('>=', '')) },
});
await build({ ...common, entryPoints: [join(sources, 'main.ts')], outfile: bundled('./main') });
await build({
  ...common,
  plugins: [],
  stdin: { contents: `module.exports = require('${POOL}');`, resolveDir: root },
  outfile: bundled(POOL),
});
chmodSync(executable, 0o755);
// Keeps Node from taking the file for an ES module where a package.json above the stack says so.
writeFileSync(join(target, 'package.json'), '{"type":"commonjs"}\n');

/**
 * What a shell reads of the executable, and Node takes for texts and comments: where there is no Node, it says so on stdout.
 * Of a plugin that fails to start, Terraform shows the first line there.
 */
function shellPart(oldestNode) {
  const missing =
    'The provider vaultadmin is a Node.js program, and there is no "node" in the PATH of Terraform: ' +
    `install Node.js ${oldestNode} or newer, and have it in that PATH`;
  return `#!/bin/sh
":" //; command -v node >/dev/null || { echo '${missing}'; exit 1; }
":" //; exec node "$0" "$@"`;
}
