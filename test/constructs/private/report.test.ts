import type { TerraformStack } from 'cdktf';
import { AclPolicy, PolicyDocument, VaultCluster } from '../../../constructs';
import { warnings } from '../support/synthesize';

test('a warning about a construct is printed once, at synthesis, unless the command line of the framework shows it', () => {
  const printed = jest.spyOn(console, 'warn').mockImplementation(() => {});
  const build = (stack: TerraformStack) => {
    const cluster = new VaultCluster(stack, 'Cluster');
    new AclPolicy(stack, 'Ops', {
      cluster,
      document: PolicyDocument.fromText('path "a*b" { capabilities = ["read"] }'),
    });
    expect(printed).not.toHaveBeenCalled();
  };
  try {
    const shown = warnings(build);
    expect(shown.length).toBeGreaterThan(0);
    expect(printed.mock.calls).toEqual(
      shown.map((text) => [`Warning: ${text.replace(/^([^:]*): /, '[$1] ')}`]),
    );
    printed.mockClear();
    process.env.CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS = 'true';
    expect(warnings(build)).toEqual(shown);
    expect(printed).not.toHaveBeenCalled();
  } finally {
    delete process.env.CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS;
    printed.mockRestore();
  }
});
