import { isProviderAddress, PROVIDER_ADDRESS, providerAddressProblem } from '../../src/model/provider-source';
import { Workspace } from '../support/terraform';

const VALID = [
  PROVIDER_ADDRESS,
  'app.terraform.io/acme/vaultadmin',
  'registry.acme.example:8443/platform-team/vaultadmin',
  'localhost:8443/a1/vaultadmin',
];
const INVALID: readonly (readonly [unknown, string])[] = [
  ['acme/vaultadmin', '"acme/vaultadmin"'],
  ['vaultadmin', '"vaultadmin"'],
  ['https://app.terraform.io/acme/vaultadmin', '"https://app.terraform.io/acme/vaultadmin"'],
  ['app.terraform.io/acme/vault', '"app.terraform.io/acme/vault"'],
  ['app.terraform.io/acme/vaultadmin/', '"app.terraform.io/acme/vaultadmin/"'],
  ['app.terraform.io/acme_team/vaultadmin', '"app.terraform.io/acme_team/vaultadmin"'],
  ['app.terraform.io/acme--team/vaultadmin', '"app.terraform.io/acme--team/vaultadmin"'],
  ['app.terraform.io/-acme/vaultadmin', '"app.terraform.io/-acme/vaultadmin"'],
  ['App.Terraform.io/Acme/vaultadmin', '"App.Terraform.io/Acme/vaultadmin"'],
  ['app.terraform.io:0/acme/vaultadmin', '"app.terraform.io:0/acme/vaultadmin"'],
  ['../acme/vaultadmin', '"../acme/vaultadmin"'],
  ['', '""'],
  [7, '7'],
];

test.each(VALID)('%s is a valid address of the provider', (address) => {
  expect(providerAddressProblem(address)).toBeUndefined();
});

test.each(INVALID)('the address %j is refused, with what is allowed and an example', (address, received) => {
  expect(providerAddressProblem(address)).toEqual({
    problem: 'is not a valid address of the provider',
    received,
    allowed: 'HOST/NAMESPACE/vaultadmin in lower case, with letters, digits and "-"',
    cure: 'write for example "app.terraform.io/acme/vaultadmin"',
  });
});

test('addresses in any registry are those of this provider if they end with its name', () => {
  expect(VALID.every(isProviderAddress)).toBe(true);
  expect(isProviderAddress('registry.terraform.io/hashicorp/vault')).toBe(false);
  expect(isProviderAddress('app.terraform.io/acme/vaultadmin-extra')).toBe(false);
  expect(isProviderAddress(undefined)).toBe(false);
});

test('terraform accepts the valid addresses as they are written', async () => {
  const workspace = new Workspace();
  try {
    const required = Object.fromEntries(VALID.map((source, index) => [`p${index}`, { source }]));
    workspace.write('main.tf.json', { terraform: { required_providers: required } });
    const { stdout } = await workspace.must('providers');
    for (const address of VALID) expect(stdout).toContain(`provider[${address}]`);
  } finally {
    await workspace.dispose();
  }
});
