/** Packs the package with npm, and installs it into projects without a registry. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedByTests } from '../../support/shared-folder';

export const ROOT = join(__dirname, '..', '..', '..');

export interface Tarball {
  readonly file: string;
  /** The size in bytes. */
  readonly size: number;
  /** The paths of its files. */
  readonly paths: readonly string[];
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Packs the build once for all tests, since npm takes seconds. */
export async function packed(): Promise<Tarball> {
  return sharedByTests('package', (folder) => pack(folder));
}

/**
 * Packs the latest build into a folder.
 *
 * @param root the folder to pack
 */
export function pack(folder: string, root = ROOT): Tarball {
  const printed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, size, files }] = JSON.parse(printed) as [
    { filename: string; size: number; files: { path: string }[] },
  ];
  return { file: join(folder, filename), size, paths: files.map(({ path }) => path) };
}

/**
 * Unpacks the package into a project in the same way as npm, together with only the packages that
 * it requires.
 *
 * @returns its folder
 */
export function install({ file }: Tarball, project: string): string {
  const installed = join(project, 'node_modules', 'cdktf-vault-admin');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', installed]);

  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
  const needed = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  for (const name of [...needed, '@types/node']) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(join(ROOT, 'node_modules', name), place);
  }
  return installed;
}
