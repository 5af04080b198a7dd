import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleProvider, COMMON } from '../provider-bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PLOT_FILES = ['uPlot.esm.js', 'uPlot.min.css'];
const CLOUD_LIBRARIES = ['@aws-sdk/client-s3', '@azure/storage-blob', '@google-cloud/storage'];

/**
 * The programs from which executables are built:
 *
 * - `folder`: the folder below the output folder, which contains a folder for each platform
 * - `bundle`: a function that writes the program's files to a folder, with options for esbuild, and
 *   returns their names, first the one that starts the program, and esbuild's description of them
 * - `flags`: the flags for the compiler
 * - `hotFunctions`: the file with the functions to store side by side, so that a start of the
 *   program reads few of its pages
 * - `settings`: environment variables for the engine, which the script that starts the program on
 *   Linux sets
 * - `fileName`: a function that returns the name of the file that users or Terraform start, without
 *   `.exe`
 * - `isLinked`: whether users start the program by a symbolic link
 */
export const PROGRAMS = {
  provider: {
    folder: '.',
    bundle: bundleProviderWithStart,
    // The provider resets this setting after its start.
    flags: ['--compile-jit-policy=10'],
    // `npm run bench -- --write` records the functions that run in a plan of one policy.
    hotFunctions: join('scripts', 'executables', 'plan-functions.txt'),
    // The last of the engine's compilers takes more time than its code saves in a run of Terraform.
    settings: ['BUN_JSC_useFTLJIT=0'],
    title: 'terraform-provider-vaultadmin',
    fileName: (version) => `terraform-provider-vaultadmin_v${version}`,
    isLinked: false,
  },
  'vault-admin': {
    folder: 'vault-admin',
    bundle: bundleCommandLine,
    flags: [],
    settings: [],
    title: 'vault-admin',
    fileName: () => 'vault-admin',
    isLinked: true,
  },
};

/**
 * Adds a file that starts the provider. The compiler gives the first file the name of the
 * executable, so the other files could not load it by its own name.
 */
async function bundleProviderWithStart(folder, options) {
  const { files, metafile } = await bundleProvider(folder, options);
  const start = 'start.js';
  writeFileSync(join(folder, start), `require('./${files[0]}');\n`);
  return { files: [start, ...files], metafile };
}

async function bundleCommandLine(folder, options) {
  const file = 'command-line.js';
  const { metafile } = await build({
    ...COMMON,
    ...options,
    entryPoints: ['src/cli/executable.ts'],
    outfile: join(folder, file),
    plugins: [withFiles(), withOwnName()],
    metafile: true,
  });
  return { files: [file], metafile };
}

/** Adds the files of the status page and the libraries for storage in clouds to the bundle. */
function withFiles() {
  return {
    name: 'with-files',
    setup({ onLoad, onResolve, resolve }) {
      onResolve({ filter: /^text:/ }, async ({ path, resolveDir, kind }) => ({
        // The path is relative, so that the bundle does not depend on the folder of the project.
        path: relative(root, (await resolve(path.slice('text:'.length), { resolveDir, kind })).path),
        namespace: 'text',
      }));
      onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({
        contents: readFileSync(join(root, path)),
        loader: 'text',
      }));
      onLoad({ filter: /src\/view\/page\/page-files\.ts$/ }, ({ path }) => ({
        contents:
          functionOf(
            'pageFile',
            readdirSync(join(dirname(path), 'static')),
            (name) => `text:./static/${name}`,
          ) + functionOf('plotFile', PLOT_FILES, (name) => `text:uplot/dist/${name}`),
        resolveDir: dirname(path),
      }));
      onLoad({ filter: /src\/emulator\/core\/load-library\.ts$/ }, ({ path }) => ({
        contents: functionOf('loadLibrary', CLOUD_LIBRARIES, (name) => name),
        resolveDir: dirname(path),
      }));
    },
  };
}

/** Returns the source of a function that returns a module by its name. */
function functionOf(name, names, moduleOf) {
  const cases = names.map(
    (each) => `case ${JSON.stringify(each)}: return require(${JSON.stringify(moduleOf(each))});`,
  );
  const others = 'throw new Error(`${name} is not part of the executable`);';
  return `export function ${name}(name) { switch (name) { ${cases.join(' ')} } ${others} }\n`;
}

/**
 * Makes the help of commands show the name of the executable in place of that of the npm package.
 */
function withOwnName() {
  return {
    name: 'with-own-name',
    setup({ onLoad }) {
      onLoad({ filter: /src\/(cli|model)\/.*\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll(
          /npx cdktf-vault-admin|(?<=\| |Command\('|options of )cdktf-vault-admin/g,
          'vault-admin',
        ),
        loader: 'ts',
      }));
    },
  };
}
