import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const OLDEST_NODE = engines.node.replace('>=', '');

/** How esbuild bundles the provider, for Node and for executables. */
export const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: `node${OLDEST_NODE}`,
  format: 'cjs',
  // ES modules first: esbuild can leave unused parts of them out.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  // Names stay, without `keepNames`, which would define a property for every closure: crash reports are read by people.
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Leaves out sources of which nothing is used: to import a source has no other effect than its definitions. */
export function withoutSideEffects() {
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
