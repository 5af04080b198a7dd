/**
 * Bundles the provider into lib/provider/ or the given folder. Most processes that Terraform starts
 * need a part of it, and Node takes longer to read the sources than to run them, so each part is a
 * file that is read when it is needed. The same sources give the same bytes everywhere: one hash in
 * a lock file holds for every platform.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { COMMON, OLDEST_NODE, withKnownAnswers, withoutSideEffects } from './provider-bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'src', 'provider');
const target = process.argv[2] ?? join(root, 'lib', 'provider');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const executable = join(target, `terraform-provider-vaultadmin_v${version}`);

if (!existsSync(sources)) {
  console.error(`${sources} is missing: there is no provider to bundle`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

/**
 * The modules of each file. Sources `require` the modules of the first files at the place where
 * they need them.
 */
const FILES = {
  'handshake.js': ['./src/provider/main'],
  'answers.js': ['./src/provider/known-answers'],
  'provider.js': ['./src/provider/served'],
  'undici.js': ['./src/client/transport/undici'],
  'sentinel.js': ['./src/model/sentinel', './src/provider/lock-out/judge'],
};
await build({
  ...COMMON,
  entryPoints: [join(sources, 'start.ts')],
  outfile: executable,
  // It has to run on every version of Node, to report one that is too old.
  target: 'node6.5',
  banner: { js: shellPart() },
  plugins: [filesBeside()],
});
for (const [file, modules] of Object.entries(FILES)) {
  const contents = modules.map((module) => `export * from '${module}';`).join('\n');
  await build({
    ...COMMON,
    ...(modules.length === 1 ? { entryPoints: modules } : { stdin: { contents, resolveDir: root } }),
    outfile: join(target, file),
    plugins: [filesBeside(file), withKnownAnswers(), withoutSideEffects()],
  });
}
chmodSync(executable, 0o755);
// The file prevents Node from loading the bundle as an ES module because of a package.json above
// the stack.
writeFileSync(join(target, 'package.json'), '{"type":"commonjs"}\n');

/**
 * Leaves the modules of other files out of a bundle, which loads those files from its own folder.
 */
function filesBeside(bundled) {
  return {
    name: 'files-beside',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'require-call' || importer.includes('node_modules')) return undefined;
        const module = `./${relative(root, join(resolveDir, path))}`;
        const file = Object.keys(FILES).find((each) => FILES[each].includes(module));
        return file && file !== bundled ? { path: `./${file}`, external: true } : undefined;
      });
    },
  };
}

/**
 * Returns the part of the executable that a shell runs, while Node reads it as texts and comments.
 * If Node is missing, it prints that on stdout, because Terraform shows the first line there if a
 * plugin fails to start.
 */
function shellPart() {
  const missing =
    'The provider vaultadmin is a Node.js program, and there is no "node" in the PATH of Terraform: ' +
    `install Node.js ${OLDEST_NODE} or newer, and have it in that PATH`;
  return `#!/bin/sh
":" //; command -v node >/dev/null || { echo '${missing}'; exit 1; }
":" //; exec node "$0" "$@"`;
}
