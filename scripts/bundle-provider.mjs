/**
 * Bundles the provider into lib/provider/ or the folder given: the file that Terraform starts, and beside it the HTTP
 * client's connection pool, which is as large as all the rest and not needed in most of the processes that Terraform
 * starts. The files are the same, byte for byte, wherever they are built from the same sources: one hash in a lock file
 * holds for every platform.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entryPoint = join(root, 'src', 'provider', 'main.ts');
const target = process.argv[2] ?? join(root, 'lib', 'provider');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const executable = join(target, `terraform-provider-vaultadmin_v${version}`);

if (!existsSync(entryPoint)) {
  console.error(`${entryPoint} is missing: there is no provider to bundle`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
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
};
const POOL = 'undici/lib/dispatcher/pool';
const POOL_FILE = 'undici-pool.js';

await build({
  ...common,
  entryPoints: [entryPoint],
  outfile: executable,
  banner: { js: '#!/usr/bin/env node' },
  plugins: [
    {
      name: 'pool-beside',
      setup({ onResolve }) {
        onResolve({ filter: new RegExp(`^${POOL}$`) }, () => ({ path: `./${POOL_FILE}`, external: true }));
      },
    },
  ],
});
await build({
  ...common,
  stdin: { contents: `module.exports = require('${POOL}');`, resolveDir: root },
  outfile: join(target, POOL_FILE),
});
chmodSync(executable, 0o755);
// Keeps Node from taking the file for an ES module where a package.json above the stack says so.
writeFileSync(join(target, 'package.json'), '{"type":"commonjs"}\n');
