import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { hiddenProvider } from '../../../constructs/placement/settings/hidden-provider';
import { settingsFiles } from '../../../constructs/placement/settings/settings-files';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../provider';
import { doubt, ok, problem, type Check } from './check';
import { settingsFileMissing } from './messages';
import { usesProvider, type Stack } from '../stacks/stacks';

const SUBJECT = "Terraform's settings";

/** A user's own settings can keep `terraform init` from finding the provider beside the stacks. */
export function checkTerraformSettings(stacks: readonly Stack[], env: NodeJS.ProcessEnv): readonly Check[] {
  const files = settingsFiles(env);
  const missing = files.find((file) => !existsSync(file));
  if (missing) return [doubt(SUBJECT, ...settingsFileMissing(missing))];

  const provider = { source: PROVIDER_ADDRESS, version: PROVIDER_VERSION };
  for (const { folder } of stacks.filter(usesProvider)) {
    const hidden = hiddenProvider(provider, resolve(folder), env);
    if (hidden) return [problem(SUBJECT, hidden.text, hidden.cure)];
  }
  return [ok(SUBJECT, files.join(', ') || 'defaults')];
}
