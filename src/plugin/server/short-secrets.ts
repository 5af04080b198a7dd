import { isTooShortToHide } from '../../text';
import type { Diagnostics } from '../author/diagnostics';
import type { ObjectValue } from './content';
import { pathText } from './paths';
import type { SecretCollector } from './secret-values';

/**
 * Warns of secrets in a configuration that texts may show. The attribute is named in the text and not by its path: Terraform
 * would print its line, with the secret.
 */
export function warnOfShortSecrets(
  collectSecrets: SecretCollector,
  config: ObjectValue,
  diagnostics: Diagnostics,
): void {
  collectSecrets(config, (secret, path) => {
    if (secret === '' || !isTooShortToHide(secret)) return;
    diagnostics.warning(
      `${pathText(path)} is too short to be hidden`,
      'A secret of fewer than 3 characters is part of many words: errors, warnings and logs may show it.\n' +
        'To do: use a longer secret.',
    );
  });
}
