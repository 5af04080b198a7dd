import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const OLDEST_NODE = engines.node.replace('>=', '');

/** The options with which esbuild bundles programs, for Node and for executables. */
export const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: `node${OLDEST_NODE}`,
  format: 'cjs',
  // The code is minified for the size of the package. Names stay readable for crash reports.
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * The files of the provider, and the modules of each. Most processes that Terraform starts need
 * some of them, and loading takes longer than running, so sources `require` the modules of the
 * first files at the place where they need them.
 */
const FILES = {
  'handshake.js': ['./src/provider/main'],
  'answers.js': ['./src/provider/known-answers'],
  'provider.js': ['./src/provider/served'],
  'undici.js': ['./src/client/transport/undici'],
  'sentinel.js': ['./src/model/sentinel', './src/provider/lock-out/judge'],
};

/**
 * Bundles the files of the provider into a folder.
 *
 * @param options more options for esbuild.
 * @returns the names of the files, beginning with the one that starts the provider, and esbuild's
 *   description of all of them.
 */
export async function bundleProvider(folder, options = {}) {
  const metafile = { outputs: {} };
  for (const [file, modules] of Object.entries(FILES)) {
    const contents = modules.map((module) => `export * from '${module}';`).join('\n');
    const built = await build({
      ...COMMON,
      ...options,
      ...(modules.length === 1 ? { entryPoints: modules } : { stdin: { contents, resolveDir: root } }),
      outfile: join(folder, file),
      plugins: [filesBeside(file), withKnownAnswers(), withoutHttp2()],
      metafile: true,
    });
    Object.assign(metafile.outputs, built.metafile.outputs);
  }
  return { files: Object.keys(FILES), metafile };
}

/**
 * Leaves the modules of other files out of a bundle, which loads those files from its own folder.
 */
export function filesBeside(bundled) {
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

/** Leaves undici's HTTP/2 out, which the client does not allow: it loads that of Node.js. */
function withoutHttp2() {
  return {
    name: 'without-http2',
    setup({ onLoad }) {
      onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({ contents: '' }));
    },
  };
}

/** Puts the responses to known calls into a bundle, in place of the module that has none. */
function withKnownAnswers() {
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
