import { PROVIDER_ADDRESS, PROVIDER_NAME, PROVIDER_VERSION } from '../../../provider/about';
import { settingsOf } from '../../clusters/cluster-names';
import { HclBlock, HclExpression, hclFile } from '../hcl/hcl';
import type { Part, StackOfApp } from './declaration';
import { secretsReadme } from './secrets-readme';
import { fileOf, type Files } from './stack-files';
import type { App } from './stacks';

/**
 * Returns the whole estate as plain Terraform, by the paths of its files: a root module for each
 * stack.
 *
 * @param source the address that Terraform installs the provider from.
 */
export function moduleFiles(app: App, source = PROVIDER_ADDRESS): Files {
  return {
    ...(Object.assign({}, ...app.stacks.map((stack) => moduleOf(stack, source))) as Files),
    '.gitignore': '.terraform/\n*.tfstate*\n',
    // Line ends are part of policies: a checkout that changed them would plan to write every policy
    // again.
    '.gitattributes': '*/policies/** -text\n',
    'README.md': readme(app, source),
  };
}

/**
 * Returns the folder of a stack: the provider, the variables, a file for each part, and the import
 * blocks.
 */
function moduleOf(stack: StackOfApp, source: string): Files {
  const { name, parts, variables } = stack;
  const declarations = parts.flatMap((part) => part.declarations);
  return {
    [`${name}/terraform.tf`]: terraformFile(stack, source),
    ...(variables.length > 0 && { [`${name}/variables.tf`]: variablesFile(variables) }),
    ...Object.fromEntries(parts.map((part) => [`${name}/${fileOf(part)}.tf`, partFile(part)])),
    [`${name}/imports.tf`]: importsFile(stack),
    ...(Object.assign({}, ...declarations.map(({ files }) => files)) as Files),
  };
}

function terraformFile({ handles }: StackOfApp, source: string): string {
  const clusters = handles.map(({ cluster }) => cluster).sort();
  const settings = clusters.map((name) => `#   ${settingsOf(name, clusters.length)}\n`);
  const terraform = new HclBlock({
    required_version: '>= 1.11',
    required_providers: new HclBlock({ [PROVIDER_NAME]: { source } }),
  });
  const provider = new HclBlock({ clusters: Object.fromEntries(clusters.map((name) => [name, {}])) }, [
    PROVIDER_NAME,
  ]);
  return `${hclFile([['terraform', terraform]])}
# Addresses and tokens of clusters come from the environment of Terraform:
${settings.join('')}${hclFile([['provider', provider]])}`;
}

/**
 * Returns the variables for the secrets that servers hold. They are ephemeral, so no plan and no
 * state contains them. If a variable has no value, the server keeps its secret.
 */
function variablesFile(names: readonly string[]): string {
  const body = {
    type: new HclExpression('string'),
    default: new HclExpression('null'),
    sensitive: true,
    ephemeral: true,
  };
  return hclFile(names.map((name) => ['variable', new HclBlock(body, [name])]));
}

function partFile({ declarations }: Part): string {
  return hclFile(
    declarations.map(({ resource, id, arguments: body }) => ['resource', new HclBlock(body, [resource, id])]),
  );
}

function importsFile({ parts }: StackOfApp): string {
  const declarations = parts.flatMap((part) => part.declarations);
  return hclFile(
    declarations.map(({ resource, id, importId }) => [
      'import',
      new HclBlock({ to: new HclExpression(`${resource}.${id}`), id: importId }),
    ]),
  );
}

function readme({ stacks, variables }: App, source: string): string {
  const secrets = secretsReadme(variables, 'increase its version, such as `pin_wo_version`');
  const folder = `~/.terraform.d/plugins/${source}`;
  const placed = `${folder}/${PROVIDER_VERSION}/linux_amd64`;
  const provider =
    source === PROVIDER_ADDRESS
      ? `Give Terraform the provider, in one of two forms:
   - as an executable: copy the zip for your platform from a release, as it is:
     \`mkdir -p ${folder} && cp terraform-provider-vaultadmin_${PROVIDER_VERSION}_*.zip ${folder}\`
     (on Windows, \`%APPDATA%\\terraform.d\\plugins\` instead of \`~/.terraform.d/plugins\`); or
   - with Node.js, from the npm package (replace \`linux_amd64\` on another platform):
     \`mkdir -p ${placed} && cp -R node_modules/cdktf-vault-admin/lib/provider/. ${placed}\``
      : `\`terraform init\` installs the provider from \`${source}\`.`;
  return `# Vault estate

Each folder is a root module: ${stacks.map(({ name }) => `\`${name}\``).join(', ')}.

1. ${provider}
2. Choose where states are kept: a backend for each module, in its \`terraform.tf\`.
3. ${secrets}
4. In each folder: \`terraform init\`, then \`terraform plan\`. The plan contains only imports: "0 to add, 0 to change, 0 to destroy". Then run \`terraform apply\`.
5. After the apply, remove \`imports.tf\`.
6. From now on, change the configuration.
`;
}
