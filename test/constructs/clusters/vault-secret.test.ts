import { TerraformStack, TerraformVariable } from 'cdktf';
import { VaultCluster, VaultSecret } from '../../../constructs';
import { synthesize, synthesizeApp } from '../support/synthesize';

test('every stack that uses the secret declares its variable, and no other stack does', () => {
  const stacks = synthesizeApp((app) => {
    const cluster = new VaultCluster(app, 'Cluster', { token: VaultSecret.fromVariable('us-token') });
    for (const id of ['one', 'two']) cluster.providerFor(new TerraformStack(app, id));
    new TerraformStack(app, 'unused');
  });
  const variable = { type: 'string', sensitive: true, ephemeral: true, nullable: false };
  for (const stack of [stacks.one, stacks.two]) {
    expect(stack?.variable).toEqual({ 'us-token': variable });
    expect(stack?.provider).toEqual({ vault: [{ token: '${var.us-token}' }] });
    // Older versions of Terraform do not know `ephemeral`.
    expect(stack?.terraform.required_version).toBe('>= 1.11');
  }
  expect(stacks.unused?.variable).toBeUndefined();
});

test('an optional variable, used by optional secrets alone, needs no value', () => {
  const declared = (...tokens: readonly string[]) =>
    synthesize((scope) => {
      tokens.forEach((token, index) =>
        new VaultCluster(scope, `Cluster${index}`, {
          name: `c${index}`,
          address: 'https://vault',
          token,
        }).providerFor(scope),
      );
    }).variable;
  const [optional, required] = [VaultSecret.fromOptionalVariable('pin'), VaultSecret.fromVariable('pin')];
  const variable = { type: 'string', sensitive: true, ephemeral: true };
  expect(declared(optional)).toEqual({ pin: { ...variable, default: null } });
  expect(declared(optional, required)).toEqual({ pin: { ...variable, nullable: false } });
  expect(declared(required, optional)).toEqual({ pin: { ...variable, nullable: false } });
});

test('a variable that the stack declares itself stays unchanged', () => {
  const stack = synthesize((scope) => {
    new TerraformVariable(scope, 'token', { type: 'string', sensitive: true });
    new VaultCluster(scope, 'Cluster', { token: VaultSecret.fromVariable('token') }).providerFor(scope);
  });
  expect(stack.variable).toEqual({ token: { type: 'string', sensitive: true } });
});

test('a construct with the same name is not a variable, and does not conflict with it', () => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'us', { token: VaultSecret.fromVariable('us') });
    cluster.providerFor(scope);
  });
  expect(Object.keys(stack.variable ?? {})).toEqual(['us']);
  expect(stack.provider).toEqual({ vault: [{ token: '${var.us}' }] });
});

test('VaultSecret.fromVariable fails for the secret itself in place of a name, and does not repeat it', () => {
  const build = () => VaultSecret.fromVariable('hvs.canary-token');
  expect(build).toThrow(
    'VaultSecret.fromVariable requires the name of a Terraform variable; allowed: a letter or _, followed by ' +
      'letters, digits, - and _; write for example VaultSecret.fromVariable("us_token") and set TF_VAR_us_token',
  );
  expect(build).not.toThrow('canary');
});

test('VaultSecret.fromEphemeral keeps the reference unchanged', () => {
  expect(VaultSecret.fromEphemeral('ephemeral.vault_kv_secret_v2.hsm.data.pin')).toBe(
    '${ephemeral.vault_kv_secret_v2.hsm.data.pin}',
  );
  expect(VaultSecret.fromEphemeral('ephemeral.vault_kv_secret_v2.hsm[0].data["pin"]')).toBe(
    '${ephemeral.vault_kv_secret_v2.hsm[0].data["pin"]}',
  );
});

test.each([
  'canary-secret',
  'data.vault_kv_secret_v2.hsm.data',
  'ephemeral.vault_kv_secret_v2.hsm',
  '${ephemeral.vault_kv_secret_v2.hsm.data.pin}',
])('VaultSecret.fromEphemeral fails for %j in place of a reference, and does not repeat it', (reference) => {
  const build = () => VaultSecret.fromEphemeral(reference);
  expect(build).toThrow(
    'VaultSecret.fromEphemeral requires a reference to an attribute of an ephemeral resource; ' +
      'allowed: ephemeral.<type>.<name>.<attribute>; write for example ' +
      'VaultSecret.fromEphemeral("ephemeral.vault_kv_secret_v2.hsm.data.pin")',
  );
  expect(build).not.toThrow('canary');
});
