import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { COMMON, withoutSideEffects } from '../provider-bundle.mjs';
import { billOf, noticesOf, packagesIn } from './contents.mjs';
import { placeGlibc } from './glibc.mjs';
import { ownPlatform, PLATFORMS } from './platforms.mjs';
import { runtimeFor } from './runtime.mjs';
import { signAdHoc } from './sign-macho.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Builds the provider for platforms, each in a folder of its own with the notices of licences: `OS_ARCH/terraform-provider-vaultadmin_vVERSION`.
 * For Linux, that is a script that starts the program beside it.
 * The bill of materials is beside the folders. The same sources give the same bytes everywhere.
 */
export async function buildExecutables(target, platforms) {
  const folder = mkdtempSync(join(tmpdir(), 'executables-'));
  try {
    const { metafile } = await build({
      ...COMMON,
      entryPoints: [join(root, 'src', 'provider', 'executable.ts')],
      outfile: join(folder, 'provider.js'),
      plugins: [withoutSideEffects()],
      metafile: true,
    });
    const packages = packagesIn(metafile, root);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(billOf(version, packages), null, 2)}\n`);
    const compiler = await runtimeFor(ownPlatform());
    for (const platform of platforms) {
      const runtime = platform === ownPlatform() ? compiler : await runtimeFor(platform);
      const isWindows = platform.startsWith('windows');
      const compiled = isWindows ? 'provider.exe' : 'provider';
      execFileSync(
        compiler,
        [
          'build',
          'provider.js',
          '--compile',
          `--target=${PLATFORMS[platform].target}`,
          `--compile-executable-path=${runtime}`,
          '--bytecode',
          '--format=cjs',
          // Otherwise it reads `.env` and `bunfig.toml` in the folder that Terraform runs in.
          '--no-compile-autoload-dotenv',
          '--no-compile-autoload-bunfig',
          `--outfile=${compiled}`,
        ],
        {
          cwd: folder,
          env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      );
      const place = join(target, platform);
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place, { recursive: true });
      const { glibc, isSignedHere } = PLATFORMS[platform];
      writeFileSync(join(place, 'NOTICES.txt'), noticesOf(packages, { hasGlibc: glibc !== undefined }));
      const executable = readFileSync(join(folder, compiled));
      const name = `terraform-provider-vaultadmin_v${version}`;
      const names = { script: name, program: 'provider' };
      if (glibc) placeGlibc(platform, place, names);
      writeFileSync(
        join(place, glibc ? names.program : `${name}${isWindows ? '.exe' : ''}`),
        isSignedHere ? signAdHoc(executable, name) : executable,
        { mode: 0o755 },
      );
      if (runtime !== compiler) rmSync(dirname(runtime), { recursive: true, force: true });
    }
    rmSync(dirname(compiler), { recursive: true, force: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
