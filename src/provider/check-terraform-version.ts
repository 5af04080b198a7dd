import type { Diagnostics } from '../plugin';
import { isOlder, OLDEST_TERRAFORM } from '../model/versions';

/**
 * Refuses an engine that is too old.
 *
 * @param version what the engine says of itself: OpenTofu says its own. One that says none is let through.
 */
export function checkTerraformVersion(version: string, diagnostics: Diagnostics): void {
  if (!/^\d+\.\d+/.test(version) || !isOlder(version, OLDEST_TERRAFORM)) return;
  diagnostics.error(
    `Terraform (or OpenTofu) ${version} is too old for the provider vaultadmin`,
    `Received: version ${version}.\n` +
      `Allowed: Terraform ${OLDEST_TERRAFORM} or newer, OpenTofu ${OLDEST_TERRAFORM} or newer: older ones know no ` +
      'write-only arguments, and would store secrets.\n' +
      'To do: install a newer one. It reads the states that this one wrote.',
  );
}
