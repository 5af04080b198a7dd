import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = ['node_modules', 'cdktf-vault-admin', 'lib', 'src', 'cli', 'main.js'];
const TWIN = MAIN.with(1, 'cdktn-vault-admin');
const SERVER = ['policy', 'language-server', '--stdio'];

/**
 * Returns the program that serves policies, with its arguments: that of the setting, that of a
 * folder of the workspace, or `vault-admin` in the `PATH`.
 *
 * @param {readonly string[]} setting the program and its first arguments; empty if there is none.
 * @param {readonly string[]} folders those of the workspace.
 * @returns {{ command: string, args: string[] }}
 */
export function serverCommand(setting, folders) {
  const [command, ...args] = setting;
  if (command !== undefined) return { command, args: [...args, ...SERVER] };
  const main = folders
    .flatMap((folder) => [MAIN, TWIN].map((path) => join(folder, ...path)))
    .find((path) => existsSync(path));
  return main === undefined
    ? { command: 'vault-admin', args: SERVER }
    : { command: 'node', args: [main, ...SERVER] };
}
