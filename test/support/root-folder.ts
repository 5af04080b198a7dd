/**
 * Creates root folders for Terraform that have no other program than a shell, and only the
 * libraries that a test chooses.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackDebian } from './executable';
import { programPath } from './programs';
import { platform, terraformBinary } from './terraform';

/** The loader of musl, which systems such as Alpine have. */
export const MUSL_LOADER = 'lib/ld-musl-x86_64.so.1';
const FOLDERS = ['bin', 'dev', 'etc', 'lib', 'lib64', 'proc', 'tmp'];

/** The requirements of root folders, for messages. */
export const ROOT_FOLDER_NEEDS =
  'It needs a Linux with root, unshare and apt-get, and package registries with the runtime, and musl and busybox-static of Debian.';

/** The environment of commands in a root folder. */
export const ENVIRONMENT_IN_ROOT = {
  HOME: '/',
  PATH: '/bin',
  TMPDIR: '/tmp',
  TF_CLI_CONFIG_FILE: '/cli.tfrc',
};

/** The parts from which root folders are made. */
export interface RootFolderParts {
  /** The folder with the files of Debian's packages. */
  readonly system: string;
  /** The script that runs Terraform. Its root folder is the parent of the working directory. */
  readonly terraform: string;
}

/**
 * Prepares the parts of root folders. Returns `undefined` if this machine cannot change the root
 * folder of a command, or if no registry has the packages.
 */
export function rootFolderParts(folder: string): RootFolderParts | undefined {
  const mayChangeRoot =
    platform() === 'linux_amd64' && spawnSync('unshare', ['--mount', '--root=/', 'true']).status === 0;
  if (!mayChangeRoot || process.getuid?.() !== 0) return undefined;
  const system = join(folder, 'system');
  if (!['musl', 'busybox-static'].every((name) => unpackDebian(name, system))) return undefined;
  const terraform = join(folder, 'terraform');
  writeFileSync(
    terraform,
    '#!/bin/sh\nexec unshare --mount --pid --fork --kill-child --mount-proc --root="${PWD%/*}" --wd=/stack /bin/terraform "$@"\n',
    { mode: 0o755 },
  );
  return { system, terraform };
}

/**
 * Makes a root folder.
 *
 * @param loaders the paths of musl's loader below the root folder
 */
export function makeRootFolder(
  { system }: RootFolderParts,
  root: string,
  loaders: readonly string[] = [MUSL_LOADER],
): void {
  for (const each of FOLDERS) mkdirSync(join(root, each));
  copyFileSync(join(system, 'bin', 'busybox'), join(root, 'bin', 'sh'));
  copyFileSync(realpathSync(programPath(terraformBinary())), join(root, 'bin', 'terraform'));
  for (const loader of loaders) {
    mkdirSync(dirname(join(root, loader)), { recursive: true });
    copyFileSync(join(system, 'lib', 'x86_64-linux-musl', 'libc.so'), join(root, loader));
    chmodSync(join(root, loader), 0o755);
  }
}
