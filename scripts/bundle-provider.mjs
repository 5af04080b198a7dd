/**
 * Bundles the provider for Node into lib/provider/. The same sources give the same bytes
 * everywhere: one hash in a lock file holds for every platform.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleProvider, COMMON, filesBeside, OLDEST_NODE } from './provider-bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'src', 'provider');
const target = join(root, 'lib', 'provider');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const executable = join(target, `terraform-provider-vaultadmin_v${version}`);

if (!existsSync(sources)) {
  console.error(`${sources} is missing: there is no provider to bundle`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

await build({
  ...COMMON,
  entryPoints: [join(sources, 'start.ts')],
  outfile: executable,
  // It has to run on every version of Node, to report one that is too old.
  target: 'node6.5',
  banner: { js: shellPart() },
  plugins: [filesBeside()],
});
await bundleProvider(target);
chmodSync(executable, 0o755);
// The file prevents Node from loading the bundle as an ES module because of a package.json above
// the stack.
writeFileSync(join(target, 'package.json'), '{"type":"commonjs"}\n');

/**
 * Returns the part of the executable that a shell runs, while Node reads it as texts and comments.
 * If Node is missing, the shell prints this on stdout, because Terraform shows the first line of
 * stdout if a plugin fails to start. It sleeps because Terraform does not show the line if it first
 * notices the plugin's end.
 */
function shellPart() {
  const missing =
    'This form of the provider vaultadmin needs Node.js, and there is no "node" in the PATH of Terraform: ' +
    `install Node.js ${OLDEST_NODE} or newer, and have it in that PATH, or use the executable for this platform`;
  return `#!/bin/sh
":" //; command -v node >/dev/null || { echo '${missing}'; sleep 1; exit 1; }
":" //; exec node "$0" "$@"`;
}
