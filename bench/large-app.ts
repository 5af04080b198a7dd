/** The app of large-stacks.ts: `node large-app.js FOLDER POLICIES BYTES`. */
import { App, TerraformStack } from 'cdktf';
import { AclPolicy, PolicyDocument, VaultCluster, ResourceProvider } from '../constructs';

const [outdir = '', policies, bytes] = process.argv.slice(2);

const app = new App({ outdir });
const clusterIn = (stack: TerraformStack) =>
  new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });

const many = new TerraformStack(app, 'many-policies');
const cluster = clusterIn(many);
for (let index = 0; index < Number(policies); index += 1) {
  new AclPolicy(many, `Policy${index}`, {
    cluster,
    policyName: `policy-${index}`,
    document: PolicyDocument.fromText(rule(index)),
  });
}

const large = new TerraformStack(app, 'large-policy');
let text = '';
for (let index = 0; text.length < Number(bytes); index += 1) text += rule(index);
new AclPolicy(large, 'Policy', {
  cluster: clusterIn(large),
  policyName: 'large',
  document: PolicyDocument.fromText(text),
});

app.synth();

function rule(index: number): string {
  return `# Team ${index}\npath "secret/data/team-${index}/*" {\n  capabilities = ["create", "read", "update", "list"]\n}\n`;
}
