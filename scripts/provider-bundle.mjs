import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const OLDEST_NODE = engines.node.replace('>=', '');

/** The options with which esbuild bundles the provider, for Node and for executables. */
export const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: `node${OLDEST_NODE}`,
  format: 'cjs',
  // ES modules come first, because esbuild can leave out their unused parts.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  // Names stay readable for crash reports, but without `keepNames`, which would define a property
  // for every closure.
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Leaves out unused sources: an import has no other effect than its definitions. */
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
