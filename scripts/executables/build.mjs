import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOf, engineOf, noticesOf, packagesIn } from './contents.mjs';
import { placeGlibc } from './glibc.mjs';
import { ownPlatform, PLATFORMS } from './platforms.mjs';
import { runtimeFor } from './runtime.mjs';
import { withoutZeros } from './shrink-elf.mjs';
import { signAdHoc } from './sign-macho.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The name of the compiled file. For Linux, a script beside it starts it. */
const PROGRAM_FILE = 'program';

/**
 * Builds programs for platforms, each in a folder of its own with the notices of licences. For
 * Linux, users or Terraform start a script, which starts the program beside it. The bill of
 * materials is beside the folders. The same sources give the same bytes everywhere.
 *
 * @param targets folders, in each of which everything is built.
 * @param programs entries of `PROGRAMS`.
 * @param recording whether the programs can record which functions they run, for `hotFunctions`.
 */
export async function buildExecutables(targets, platforms, programs, recording = false) {
  const folder = mkdtempSync(join(tmpdir(), 'executables-'));
  try {
    const compiler = await runtimeFor(ownPlatform(), recording);
    const engine = engineOf(compiler);
    const bundled = [];
    for (const target of targets)
      for (const program of programs)
        bundled.push(
          await bundle(program, engine, join(target, program.folder), mkdtempSync(join(folder, 'bundle-'))),
        );
    for (const platform of platforms) {
      const runtime = platform === ownPlatform() ? compiler : await runtimeFor(platform, recording);
      for (const each of bundled) placeExecutable(each, platform, { compiler, runtime });
      if (runtime !== compiler) rmSync(dirname(runtime), { recursive: true, force: true });
    }
    rmSync(dirname(compiler), { recursive: true, force: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles a program, and writes its bill of materials. */
async function bundle(program, engine, target, folder) {
  const { files, metafile } = await program.bundle(folder, {
    // The executable loads no file by these paths. Without this, the compiler would write the path
    // of the bundle on this machine into it.
    define: { __dirname: '"/"', __filename: '"/program.js"' },
  });
  const packages = packagesIn(metafile, root);
  const bill = billOf({ name: program.title, version }, packages, engine);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  return { ...program, engine, target, packages, folder, files };
}

function placeExecutable(program, platform, { compiler, runtime }) {
  const { folder, files, flags, hotFunctions, settings, engine, packages, isLinked } = program;
  const { target, glibc, isSignedHere } = PLATFORMS[platform];
  const extension = platform.startsWith('windows') ? '.exe' : '';
  execFileSync(
    compiler,
    [
      'build',
      ...files.map((file) => `./${file}`),
      // The files of the bundle load each other at run time, so the compiler must not merge them.
      '--external=./*.js',
      '--compile',
      `--target=${target}`,
      `--compile-executable-path=${runtime}`,
      '--bytecode',
      ...(hotFunctions ? [`--bytecode-order=${join(root, hotFunctions)}`] : []),
      '--minify-whitespace',
      '--format=cjs',
      // Without these options, the runtime reads `.env` and `bunfig.toml` in the folder in which it
      // is started.
      '--no-compile-autoload-dotenv',
      '--no-compile-autoload-bunfig',
      ...flags,
      `--outfile=${PROGRAM_FILE}${extension}`,
    ],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const place = join(program.target, platform);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'NOTICES.txt'), noticesOf(packages, { engine, hasGlibc: glibc !== undefined }));
  const executable = readFileSync(join(folder, `${PROGRAM_FILE}${extension}`));
  const name = program.fileName(version);
  if (glibc) placeGlibc(platform, place, { script: name, program: PROGRAM_FILE, settings, isLinked });
  writeFileSync(
    join(place, glibc ? PROGRAM_FILE : `${name}${extension}`),
    glibc ? withoutZeros(executable) : isSignedHere ? signAdHoc(executable, name) : executable,
    { mode: 0o755 },
  );
}
