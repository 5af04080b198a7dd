import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { engines, version: projectVersion } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

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

const REPLICATION = './src/provider/replication/replication';

/** The modules that `src/provider/parts.ts` loads on first use. */
const PARTS = Array.from(
  readFileSync(join(root, 'src/provider/parts.ts'), 'utf8').matchAll(/require\('\.(\/[\w/-]+)'\)/g),
  ([, module]) => `./src/provider${module}`,
);

/**
 * The files of the provider, each with the modules that other files load from it. Most processes
 * that Terraform starts need few of the files, and loading takes longer than running. So the
 * sources `require` these modules only where they need them.
 */
const FILES = {
  'handshake.js': ['./src/provider/main'],
  'provider.js': ['./src/provider/served'],
  'cluster.js': ['./src/provider/clusters/cluster'],
  'answers.js': ['./src/provider/known-answers'],
  'meaning.js': ['./src/provider/policies/meaning'],
  'objects.js': ['./src/client/groups/further-calls', ...PARTS.filter((part) => part !== REPLICATION)],
  'replication.js': [REPLICATION],
  'sentinel.js': ['./src/model/sentinel', './src/provider/lock-out/judge'],
  'undici.js': ['./src/client/transport/undici'],
};
const NAMES = Object.keys(FILES);

/**
 * Bundles the files of the provider into a folder. A module that several files need is only in the
 * first of them, and the others load it from there, so that its classes and variables exist once.
 *
 * @param options more options for esbuild.
 * @returns the names of the files, beginning with the one that starts the provider, and esbuild's
 *   description of all of them.
 */
export async function bundleProvider(folder, options = {}) {
  const answers = withKnownAnswers(await knownAnswers());
  const built = {};
  const exported = {};
  for (let owners = {}, before; !isDeepStrictEqual(owners, before);) {
    Object.assign(exported, await exportsOf(Object.keys(owners).filter((each) => !(each in exported))));
    // The later files are bundled first, because an earlier file has to share what they take from
    // it.
    for (const file of NAMES.toReversed()) {
      const contents = contentsOf(
        file,
        Object.values(built).flatMap(({ taken }) => taken),
        owners,
      );
      const { contents: known, inputs = {} } = built[file] ?? {};
      if (contents === known && Object.keys(inputs).every((each) => owners[each] === before[each])) continue;
      const outfile = join(folder, file);
      const { metafile } = await build({
        ...COMMON,
        ...options,
        // From packages in the form of ES modules, esbuild leaves out what is not used.
        mainFields: ['module', 'main'],
        stdin: { contents, resolveDir: root },
        outfile,
        plugins: [
          filesBeside(file),
          modulesOnce(file, owners, exported),
          answers,
          withoutChecks(),
          withVersionAlone(),
          withoutHttp2(),
        ],
        metafile: true,
      });
      const taken = readFileSync(outfile, 'utf8').matchAll(/\bSHARED\d*\["([^"]+)"\]/g);
      built[file] = {
        contents,
        inputs: metafile.inputs,
        output: Object.values(metafile.outputs)[0],
        taken: Array.from(taken, ([, name]) => name),
      };
    }
    [before, owners] = [owners, ownersIn(built)];
  }
  const outputs = NAMES.map((file) => [file, built[file].output]);
  return { files: NAMES, metafile: { outputs: Object.fromEntries(outputs) } };
}

/**
 * Returns the source of a file.
 *
 * @param taken all names that files take from other files, each as `MODULE NAME`.
 */
function contentsOf(file, taken, owners) {
  const shared = [...new Set(taken)].filter((each) => owners[each.split(' ')[0]] === file).sort();
  return [
    ...FILES[file].map((module) => `export * from '${module}';`),
    ...shared.map((each, i) => {
      const [module, name] = each.split(' ');
      return `import { ${name} as shared${i} } from './${module}';`;
    }),
    ...(shared.length > 0
      ? [`export const SHARED = { ${shared.map((each, i) => `'${each}': shared${i}`).join(', ')} };`]
      : []),
  ].join('\n');
}

/** Returns the first file that contains each module. */
function ownersIn(built) {
  const owners = {};
  for (const file of NAMES)
    for (const [module, { bytesInOutput }] of Object.entries(built[file].output.inputs))
      // Index files have no code of their own to share, because they only re-export.
      if (bytesInOutput > 0 && /^src\/(?!.*index\.ts$)/.test(module)) owners[module] ??= file;
  return owners;
}

/** Returns the names that each module exports. */
async function exportsOf(modules) {
  if (modules.length === 0) return {};
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: modules,
    format: 'esm',
    outdir: '.',
    logLevel: 'error',
    write: false,
    metafile: true,
  });
  return Object.fromEntries(
    Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]),
  );
}

/** Replaces modules that an earlier file contains by loads from that file. */
function modulesOnce(file, owners, exported) {
  return {
    name: 'modules-once',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const module = relative(root, path);
        const owner = owners[module];
        if (owner === undefined || NAMES.indexOf(owner) >= NAMES.indexOf(file)) return undefined;
        const lines = exported[module].map(
          (name) => `export const ${name} = /* @__PURE__ */ (() => SHARED['${module} ${name}'])();`,
        );
        return { contents: [`const { SHARED } = require('./${owner}');`, ...lines].join('\n') };
      });
    },
  };
}

/**
 * Leaves modules that belong to other files of the provider out of a bundle. The bundle loads these
 * files from its own folder at run time.
 */
export function filesBeside(bundled) {
  return {
    name: 'files-beside',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'require-call' || importer.includes('node_modules')) return undefined;
        if (path.slice(2) in FILES) return { path, external: true };
        const module = `./${relative(root, join(resolveDir, path))}`;
        const file = NAMES.find((each) => FILES[each].includes(module));
        return file && file !== bundled ? { path: `./${file}`, external: true } : undefined;
      });
    },
  };
}

/**
 * Leaves undici's HTTP/2 out. The client does not allow HTTP/2, and the code would load the module
 * of Node.js for it.
 */
function withoutHttp2() {
  return {
    name: 'without-http2',
    setup({ onLoad }) {
      onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({ contents: '' }));
    },
  };
}

/**
 * Leaves out the checks of schemas against Terraform's rules, because the build runs them when it
 * asks the provider for the known responses.
 */
function withoutChecks() {
  return {
    name: 'without-checks',
    setup({ onLoad }) {
      onLoad({ filter: /src\/plugin\/author\/schema-check\.ts$/ }, () => ({
        contents: 'export const checkProvider = () => {}, checkPart = () => {};',
      }));
    },
  };
}

/** Leaves everything but the version out of this project's `package.json`. */
function withVersionAlone() {
  return {
    name: 'with-version-alone',
    setup({ onLoad }) {
      onLoad({ filter: /\/package\.json$/ }, ({ path }) =>
        path === join(root, 'package.json')
          ? { contents: JSON.stringify({ version: projectVersion }), loader: 'json' }
          : undefined,
      );
    },
  };
}

/** Puts the responses to known calls into a bundle, in place of the module without responses. */
function withKnownAnswers(answers) {
  return {
    name: 'with-known-answers',
    setup({ onLoad }) {
      onLoad({ filter: /src\/provider\/known-answers\.ts$/ }, () => ({
        contents: `export const KNOWN_ANSWERS = ${JSON.stringify(answers)};`,
      }));
    },
  };
}

/** Returns the responses to known calls, from the provider in the sources. */
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
