import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terraformBinary } from '../../support/terraform';
import { inFolder } from './synthesize';

/**
 * Returns the value of an expression that Terraform computes.
 *
 * @param files the contents of the files beside it, by their names
 */
export function evaluated<T>(files: Readonly<Record<string, string>>, expression: string): T {
  return inFolder((folder) => {
    const all = { ...files, 'cli.tfrc': '' };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
    const output = execFileSync(terraformBinary(), ['console'], {
      cwd: folder,
      env: { ...process.env, TF_CLI_CONFIG_FILE: join(folder, 'cli.tfrc') },
      input: `jsonencode(${expression})\n`,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    return JSON.parse(JSON.parse(output.trim()) as string) as T;
  });
}
