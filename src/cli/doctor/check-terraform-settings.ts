import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROVIDER_ADDRESS } from '../../provider';
import { doubt, ok, problem, type Check } from './check';

const SUBJECT = "Terraform's settings";
const [HOST] = PROVIDER_ADDRESS.split('/');

/** A user's own settings can keep `terraform init` from finding the provider beside the stack. */
export function checkTerraformSettings(env: NodeJS.ProcessEnv): readonly Check[] {
  const chosen = env.TF_CLI_CONFIG_FILE;
  if (chosen && !existsSync(chosen)) {
    return [
      doubt(
        SUBJECT,
        `TF_CLI_CONFIG_FILE names ${chosen}, which is not there`,
        'unset it, or correct the path',
      ),
    ];
  }
  const file = [chosen, ...['.terraformrc', '.tofurc'].map((name) => join(env.HOME ?? homedir(), name))].find(
    (each) => each && existsSync(each),
  );
  if (!file) return [ok(SUBJECT, 'the usual ones')];

  const installation = /^\s*provider_installation\s*\{/m.test(withoutComments(readFileSync(file, 'utf8')));
  if (!installation) return [ok(SUBJECT, file)];
  if (readFileSync(file, 'utf8').includes(HOST ?? '')) return [ok(SUBJECT, `${file} names ${HOST}`)];
  return [
    problem(
      SUBJECT,
      `provider_installation in ${file} switches off that terraform looks beside the stack`,
      `add to it: filesystem_mirror { path = "<the stack's folder>/terraform.d/plugins" include = ["${HOST}/*/*"] }`,
    ),
  ];
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(#|\/\/).*$/gm, '');
}
