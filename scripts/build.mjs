/**
 * Builds lib/: the protocol's codecs from its description, the sources, the L1 bindings from the
 * provider's own schema, the names of the properties of the constructs from their interfaces, the
 * constructs on top of both, index files that load what is used, the status page's files, the lists
 * of types that npm does not pack, the provider as one executable file, and the list of what an
 * installation brings.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

run('npx', ['buf', 'generate', '--template', 'src/plugin/wire/buf.gen.yaml', 'src/plugin/wire']);
run('node', ['scripts/generate-bindings.mjs']);
run('node', ['scripts/generate-prop-names.mjs']);
run('npx', ['tsc', '-p', 'tsconfig.build.json']);
cpSync(join(root, 'src/view/page/static'), join(root, 'lib/src/view/page/static'), { recursive: true });
run('node', ['scripts/load-when-used.mjs']);
run('node', ['scripts/leave-out-types.mjs']);
run('node', ['scripts/bundle-provider.mjs']);
run('node', ['scripts/generate-sbom.mjs']);

mkdirSync(join(root, 'lib'), { recursive: true });
writeFileSync(join(root, 'lib', 'build.stamp'), '');

function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}
