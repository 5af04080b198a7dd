import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * The files that Terraform, or OpenTofu where `TERRAFORM_BINARY_NAME` names it, reads its settings
 * from on this machine. A file that is named and not there is among them. A relative path is seen
 * from the folder that Terraform runs in.
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

/** In containers, users may have neither a name nor a home. */
function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/** A folder that cannot be read has none. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.tfrc') || name.endsWith('.tfrc.json'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
