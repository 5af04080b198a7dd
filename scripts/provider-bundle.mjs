import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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

/** Puts the responses to known calls into a bundle, in place of the module that has none. */
export function withKnownAnswers() {
  return {
    name: 'with-known-answers',
    setup({ onLoad }) {
      onLoad({ filter: /src\/provider\/known-answers\.ts$/ }, async () => ({
        contents: `export const KNOWN_ANSWERS = ${JSON.stringify(await knownAnswers())};`,
      }));
    },
  };
}

/** Asks the provider of the sources for its responses. */
async function knownAnswers() {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'));
  try {
    const contents =
      "export { SERVED } from './src/provider/served'; export { KNOWN_CALLS } from './src/provider/start-provider';";
    const outfile = join(folder, 'provider.cjs');
    await build({ ...COMMON, stdin: { contents, resolveDir: root }, outfile });
    const { SERVED, KNOWN_CALLS } = createRequire(import.meta.url)(outfile);
    const { unary } = SERVED();
    const answers = {};
    for (const call of KNOWN_CALLS) {
      const answer = await unary.get(call)(new Uint8Array(0));
      answers[call] = Buffer.from(answer).toString('base64');
    }
    return answers;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
