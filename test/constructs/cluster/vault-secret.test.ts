import { TerraformStack, TerraformVariable } from 'cdktf';
import { VaultCluster, VaultSecret } from '../../../constructs';
import { synthesize, synthesizeApp } from '../support/synthesize';

test('every stack that uses the secret declares its variable, and no other stack', () => {
  const stacks = synthesizeApp((app) => {
    const cluster = new VaultCluster(app, 'Cluster', { token: VaultSecret.fromVariable('us-token') });
    for (const id of ['one', 'two']) cluster.providerFor(new TerraformStack(app, id));
    new TerraformStack(app, 'unused');
  });
  const variable = { type: 'string', sensitive: true, ephemeral: true, nullable: false };
  for (const stack of [stacks.one, stacks.two]) {
    expect(stack?.variable).toEqual({ 'us-token': variable });
    expect(stack?.provider).toEqual({ vault: [{ token: '${var.us-token}' }] });
  }
  expect(stacks.unused?.variable).toBeUndefined();
});

test('a variable that the stack declares itself is used as it is', () => {
  const stack = synthesize((scope) => {
    new TerraformVariable(scope, 'token', { type: 'string', sensitive: true });
    new VaultCluster(scope, 'Cluster', { token: VaultSecret.fromVariable('token') }).providerFor(scope);
  });
  expect(stack.variable).toEqual({ token: { type: 'string', sensitive: true } });
});

test('fails for the secret itself in place of a name, and does not repeat it', () => {
  const build = () => VaultSecret.fromVariable('hvs.canary-token');
  expect(build).toThrow(
    'VaultSecret.fromVariable was not given the name of a Terraform variable; allowed: a letter or _, followed by ' +
      'letters, digits, - and _; write for example VaultSecret.fromVariable("us_token") and set TF_VAR_us_token',
  );
  expect(build).not.toThrow('canary');
});
