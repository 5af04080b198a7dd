import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * Returns the files from which Terraform reads its settings on this machine, or OpenTofu if
 * `TERRAFORM_BINARY_NAME` names it. If a variable names a file, it is included even if it does not
 * exist. A relative path is relative to the folder in which Terraform runs.
 */
export function settingsFiles(env: NodeJS.ProcessEnv): string[] {
  const chosen = env.TF_CLI_CONFIG_FILE || env.TERRAFORM_CONFIG;
  if (chosen) return [chosen];

  const home = env.HOME || homeOfUser();
  const isTofu = basename(env.TERRAFORM_BINARY_NAME ?? '').includes('tofu');
  const openTofu = isTofu && env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, 'opentofu') : undefined;
  const files = [
    ...(isTofu ? [join(home, '.tofurc')] : []),
    join(home, '.terraformrc'),
    ...(openTofu ? [join(openTofu, 'tofurc')] : []),
  ];
  const folders = [join(home, '.terraform.d'), ...(openTofu ? [openTofu] : [])];
  return [
    ...files.filter(existsSync).slice(0, 1),
    ...folders.filter(existsSync).slice(0, 1).flatMap(filesIn),
  ];
}

/** Returns the home of the user; in containers, users may have neither a name nor a home. */
function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/** Returns the files in a folder; a folder that cannot be read counts as empty. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.tfrc') || name.endsWith('.tfrc.json'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
