import type { Diagnostics } from '../plugin';
import { isOlder, OLDEST_TERRAFORM } from '../model/versions';

/**
 * Warns of an engine that is too old to keep secrets out of its states.
 *
 * @param version what the engine says of itself: OpenTofu says its own. Of one that says none nothing is said.
 */
export function checkTerraformVersion(version: string, diagnostics: Diagnostics): void {
  if (!isOlder(version, OLDEST_TERRAFORM)) return;
  diagnostics.warning(
    `Terraform (or OpenTofu) ${version} is too old to keep secrets out of its states`,
    'Write-only arguments, whose names end with _wo, are refused. The sensitive arguments that replace them are stored: ' +
      'in the state, and in saved plans.\n' +
      `To do: install Terraform ${OLDEST_TERRAFORM} or OpenTofu ${OLDEST_TERRAFORM}, or newer. It reads the states that this ` +
      'one wrote.',
  );
}
