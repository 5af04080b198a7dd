/**
 * Packs the extension for Visual Studio Code: dist/vault-admin.vsix, or the file that the argument
 * names.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';
import { npmRun } from '../npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = join(root, 'editors', 'vscode');
const [file = join(root, 'dist', 'vault-admin.vsix')] = npmRun(
  'vscode',
  'Packs the extension for Visual Studio Code.',
)
  .argument('[FILE]', 'where to (default: dist/vault-admin.vsix)')
  .parse().args;
const target = resolve(file);

await build({
  entryPoints: [join(folder, 'src', 'extension.mjs')],
  outfile: join(folder, 'dist', 'extension.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  legalComments: 'inline',
  logLevel: 'warning',
});
mkdirSync(dirname(target), { recursive: true });
// The bundle contains all code, so the extension has no dependencies to pack.
await createVSIX({ cwd: folder, packagePath: target, dependencies: false });
