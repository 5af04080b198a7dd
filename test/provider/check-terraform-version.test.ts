import { Diagnostics } from '../../src/plugin';
import { checkTerraformVersion } from '../../src/provider/check-terraform-version';

/** What is said of a version. */
function said(version: string): readonly unknown[] {
  const diagnostics = new Diagnostics();
  checkTerraformVersion(version, diagnostics);
  return diagnostics.list;
}

test.each(['1.10.5', '1.5.7', '0.15.5'])('warns of %s, and says what it cannot do', (version) => {
  expect(said(version)).toEqual([
    {
      severity: 'warning',
      summary: `Terraform (or OpenTofu) ${version} is too old to keep secrets out of its states`,
      detail:
        'Write-only arguments, whose names end with _wo, are refused. The sensitive arguments in their place are stored: ' +
        'in the state, and in saved plans.\n' +
        'To do: install Terraform 1.11 or OpenTofu 1.11, or newer. It reads the states that this one wrote.',
      path: [],
    },
  ]);
});

test.each(['1.11.0', '1.11.0-beta1', '1.15.9', '2.0.0', 'dev', ''])('says nothing of %j', (version) => {
  expect(said(version)).toEqual([]);
});
