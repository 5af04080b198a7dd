import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../provider';
import { ok, problem, type Check } from './check';
import { usesProvider, type Stack } from './stacks';

const CURE = 'synthesize the app again, with the version of cdktf-vault-admin that is installed';

/** Whether `terraform init` will find the provider beside each stack. */
export function checkStacks(stacks: readonly Stack[]): readonly Check[] {
  return stacks.filter(usesProvider).map(checkStack);
}

function checkStack({ name, folder }: Stack): Check {
  const subject = `stack ${JSON.stringify(name)}`;
  const provider = join(folder, 'terraform.d', 'plugins', ...PROVIDER_ADDRESS.split('/'), PROVIDER_VERSION);
  if (!existsSync(provider))
    return problem(subject, `provider ${PROVIDER_VERSION} does not lie beside it`, CURE);

  const lockFile = join(folder, '.terraform.lock.hcl');
  const lock = existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : '';
  const entry = new RegExp(`provider "${PROVIDER_ADDRESS.replaceAll('.', '\\.')}" \\{([^}]*)\\}`).exec(
    lock,
  )?.[1];
  if (!entry?.includes(`"${PROVIDER_VERSION}"`)) {
    return problem(subject, `its .terraform.lock.hcl does not lock provider ${PROVIDER_VERSION}`, CURE);
  }
  return ok(subject, `provider ${PROVIDER_VERSION} lies beside it, and is locked`);
}
