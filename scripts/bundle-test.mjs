import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Bundles a program of the tests into lib/, below the root, so that it finds packages, including
 * this one.
 *
 * @param entry the path of the program in the folder `test`.
 * @param name the name of the bundle.
 * @param plugins plugins of esbuild.
 * @returns the path of the bundle.
 */
export async function bundleTest(entry, name, plugins = []) {
  const outfile = join(root, 'lib', name);
  await build({
    entryPoints: [join(root, 'test', entry)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'es2022',
    packages: 'external',
    sourcemap: 'inline',
    plugins,
    logLevel: 'warning',
    outfile,
  });
  return outfile;
}
