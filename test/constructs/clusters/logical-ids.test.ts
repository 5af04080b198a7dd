import { TerraformResource } from 'cdktf';
import { AclPolicy, PolicyDocument, ResourceProvider } from '../../../constructs';
import { failure, type Build } from '../support/bad-input';

const DOCUMENT = PolicyDocument.fromText('path "secret/*" { capabilities = ["read"] }');

const twoPolicies =
  (ids: readonly [string, string], change: (resource: TerraformResource) => void = () => undefined): Build =>
  (stack, cluster) => {
    for (const [index, id] of ids.entries()) {
      const policy = new AclPolicy(stack, id, { cluster, policyName: `p${index}`, document: DOCUMENT });
      policy.node
        .findAll()
        .filter((each) => TerraformResource.isTerraformResource(each))
        .forEach(change);
    }
  };

const CURE =
  'so the framework would leave one of them out; give one of the two another id: ' +
  'the framework removes characters other than letters, digits, - and _ from ids';

test.each<[why: string, build: Build, message: string]>([
  [
    'whose ids differ only in characters that the framework removes',
    twoPolicies(['team.a', 'teama']),
    '[stack] [stack/team.a/Resource] and [stack/teama/Resource] have the same address in Terraform, ' +
      `"vaultadmin_acl_policy.teama", ${CURE}`,
  ],
  [
    'with the same overridden logical id',
    twoPolicies(['A', 'B'], (resource) => resource.overrideLogicalId('same')),
    '[stack] [stack/A/Resource] and [stack/B/Resource] have the same address in Terraform, ' +
      `"vaultadmin_acl_policy.same", ${CURE}`,
  ],
])('two resources %s are an error, and none is left out silently', (_why, build, message) => {
  expect(failure(ResourceProvider.VAULTADMIN, build)).toBe(message);
});
