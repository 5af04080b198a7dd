import { Diagnostics } from '../../src/plugin';
import { checkTerraformVersion } from '../../src/provider/check-terraform-version';

/** What is said of a version. */
function said(version: string): readonly unknown[] {
  const diagnostics = new Diagnostics();
  checkTerraformVersion(version, diagnostics);
  return diagnostics.list;
}

test.each(['1.10.5', '1.5.7', '0.15.5'])('refuses %s, and says what is needed', (version) => {
  expect(said(version)).toEqual([
    {
      severity: 'error',
      summary: `Terraform (or OpenTofu) ${version} is too old for the provider vaultadmin`,
      detail:
        `Received: version ${version}.\n` +
        'Allowed: Terraform 1.11 or newer, OpenTofu 1.11 or newer: older ones know no write-only arguments, and ' +
        'would store secrets.\n' +
        'To do: install a newer one. It reads the states that this one wrote.',
      path: [],
    },
  ]);
});

test.each(['1.11.0', '1.11.0-beta1', '1.15.9', '2.0.0', 'dev', ''])('lets %j through', (version) => {
  expect(said(version)).toEqual([]);
});
