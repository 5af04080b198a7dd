/**
 * Bundles the provider into the one file that Terraform starts, in lib/provider/ or the folder given. It is the same,
 * byte for byte, wherever it is built from the same sources: one hash in a lock file holds for every platform.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

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
buildSync({
  absWorkingDir: root,
  entryPoints: [entryPoint],
  outfile: executable,
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  banner: { js: '#!/usr/bin/env node' },
  minifySyntax: true,
  // Names stay, without `keepNames`, which would define a property for every closure: crash reports are read by people.
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
});
chmodSync(executable, 0o755);
// Keeps Node from taking the file for an ES module where a package.json above the stack says so.
writeFileSync(join(target, 'package.json'), '{"type":"commonjs"}\n');
