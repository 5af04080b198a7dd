import { TerraformStack } from 'cdktf';
import { AclPolicy, VaultCluster } from '../../../constructs';
import { appError, inAppLanguage } from '../../../constructs/private/app-language';
import { synthesize, synthesizeApp } from '../support/synthesize';

const before = process.env.JSII_AGENT;
afterEach(() => {
  if (before === undefined) delete process.env.JSII_AGENT;
  else process.env.JSII_AGENT = before;
});

const TEXT = 'policyName is "policyName"; write for example new PolicyStatement({...})';

test.each([undefined, 'Java/21.0', 'DotNet/8.0'])('texts stay as they are in an app of %s', (agent) => {
  if (agent === undefined) delete process.env.JSII_AGENT;
  else process.env.JSII_AGENT = agent;
  expect(inAppLanguage(TEXT)).toBe(TEXT);
});

test('errors of methods are their text alone in apps of other languages', () => {
  expect(String(appError('not valid'))).toBe('Error: not valid');
  process.env.JSII_AGENT = 'Python/3.11.7';
  expect(String(appError('not valid'))).toBe('not valid');
});

test.each([
  [
    'names of properties, and not their values',
    TEXT,
    'policy_name is "policyName"; write for example PolicyStatement(...)',
  ],
  [
    'factories',
    "write VaultSecret.fromVariable('name') or SnapshotStorage.azureBlob({...})",
    "write VaultSecret.from_variable('name') or SnapshotStorage.azure_blob(...)",
  ],
  [
    'properties with their values',
    'set resources: VaultResources.VAULTADMIN on it, or confirm it with confirmLockOut: "myHours"',
    'set resources=VaultResources.VAULTADMIN on it, or confirm it with confirm_lock_out="myHours"',
  ],
  ['truth', 'allowOverwrite is true; allowed: false', 'allow_overwrite is True; allowed: False'],
  [
    'no paths of constructs',
    '[stack/myPolicy] AclPolicy: policyName',
    '[stack/myPolicy] AclPolicy: policy_name',
  ],
  ['no escaped quotes', '"a \\" policyName" policyName', '"a \\" policyName" policy_name'],
  [
    'no constants, classes and commands',
    'TF_VAR_x, VaultCluster, cdktf-vault-admin, vault_policy',
    undefined,
  ],
])('in an app of Python: %s', (_what, text, expected = text) => {
  process.env.JSII_AGENT = 'Python/3.11.7';
  expect(inAppLanguage(text)).toBe(expected);
});

test('errors of constructs, and those of the synthesis, speak the language of the app', () => {
  process.env.JSII_AGENT = 'Python/3.11.7';
  expect(() => synthesize((scope) => new VaultCluster(scope, 'Us', { maxRetries: -1 }))).toThrow(
    /\bmax_retries\b/,
  );
  expect(() =>
    synthesizeApp((app) => {
      const stack = new TerraformStack(app, 'stack');
      const cluster = new VaultCluster(stack, 'Us');
      for (const id of ['A', 'B']) new AclPolicy(stack, id, { cluster, policyName: 'ops' });
    }),
  ).toThrow('give one of the two another policy_name, or refer to the other one with from_policy_name');
});
