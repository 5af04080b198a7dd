import { TerraformStack, type App } from 'cdktf';
import { AclPolicy, Capability, PolicyGuardRails, PolicyStatement, VaultCluster } from '../../../constructs';
import { appError, inAppLanguage } from '../../../constructs/private/app-language';
import { literal, phrase, property } from '../../../src/model/messages';
import { synthesize, synthesizeApp } from '../support/synthesize';

const before = process.env.JSII_AGENT;
afterEach(() => {
  if (before === undefined) delete process.env.JSII_AGENT;
  else process.env.JSII_AGENT = before;
});

const TEXT = phrase`${property('policyName')} is ${literal('policyName')}; allowed: ${literal(true)}`;

test.each([undefined, 'Java/21.0', 'DotNet/8.0'])(
  'names in messages are those of TypeScript in an app of %s',
  (agent) => {
    if (agent === undefined) delete process.env.JSII_AGENT;
    else process.env.JSII_AGENT = agent;
    expect(inAppLanguage(TEXT)).toBe('policyName is "policyName"; allowed: true');
  },
);

test('names in messages are those of Python in an app of Python', () => {
  process.env.JSII_AGENT = 'Python/3.11.7';
  expect(inAppLanguage(TEXT)).toBe('policy_name is "policyName"; allowed: True');
});

test('errors of methods consist of their text in apps of other languages', () => {
  expect(String(appError('not valid'))).toBe('Error: not valid');
  process.env.JSII_AGENT = 'Python/3.11.7';
  expect(String(appError('not valid'))).toBe('not valid');
});

test('errors of constructs are written in the language of the app', () => {
  process.env.JSII_AGENT = 'Python/3.11.7';
  expect(() => synthesize((scope) => new VaultCluster(scope, 'Us', { maxRetries: -1 }))).toThrow(
    /\bmax_retries\b/,
  );
});

/** Declares three policies. Two of them write the policy of the first one. */
function appWithFindings(app: App): TerraformStack {
  const stack = new TerraformStack(app, 'stack');
  const cluster = new VaultCluster(stack, 'Us');
  for (const id of ['A', 'B', 'C'])
    new AclPolicy(stack, id, {
      cluster,
      policyName: 'ops',
      statements: [new PolicyStatement({ paths: ['a/b'], capabilities: [Capability.READ] })],
    });
  return stack;
}

const written = (id: string) =>
  `[stack/${id}] ACL policy "ops" on cluster "default" is written by [stack/A] already; ` +
  'give one of the two another policy_name, or refer to the other one with from_policy_name';

test('the error of a synthesis in an app of another language contains only the findings', () => {
  expect(() => synthesizeApp(appWithFindings)).toThrow(
    /^test\/.*: \[stack\/B\] .*\ntest\/.*: \[stack\/C\] .*fromPolicyName$/,
  );

  process.env.JSII_AGENT = 'Python/3.11.7';
  const foreign = { validate: () => ['not ours'] };
  const error = thrownBy(() =>
    synthesizeApp((app) => appWithFindings(app).node.tryFindChild('B')!.node.addValidation(foreign)),
  );
  expect(String(error)).toBe(`${written('B')}\n[stack/B] not ours\n${written('C')}`);
});

test("the error of guard rails contains only the findings, unless the framework's command line shows them", () => {
  process.env.JSII_AGENT = 'Python/3.11.7';
  const build = (app: App) => {
    const stack = new TerraformStack(app, 'stack');
    new AclPolicy(stack, 'A', {
      cluster: new VaultCluster(stack, 'Us'),
      policyName: 'ops',
      statements: [new PolicyStatement({ paths: ['a/b'], capabilities: [Capability.SUDO] })],
    });
    PolicyGuardRails.addTo(app);
  };
  const lines = String(thrownBy(() => synthesizeApp(build))).split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^\[stack\/A\] PolicyGuardRails: ACL policy "ops" .* \(no-sudo\)\. /),
    expect.stringMatching(
      /^To do: .* suppress the rule: PolicyGuardRails\.suppress\(construct, "no-sudo", 'why'\)\.$/,
    ),
  ]);

  process.env.CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS = 'true';
  try {
    expect(synthesizeApp(build)).toHaveProperty('stack');
  } finally {
    delete process.env.CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS;
  }

  const late = String(
    thrownBy(() =>
      synthesizeApp((app) => {
        build(app);
        PolicyGuardRails.suppress(app, 'no-sudo', 'operators');
        new TerraformStack(app, 'late');
      }),
    ),
  );
  expect(late).toMatch(
    /^PolicyGuardRails: stack "late" was declared after PolicyGuardRails\.add_to, [^\n]*$/,
  );
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
