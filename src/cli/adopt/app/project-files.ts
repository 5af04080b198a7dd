import { randomUUID } from 'node:crypto';
import { settingsOf } from '../../clusters/cluster-names';
import { quoted } from './code';
import type { StackOfApp } from './declaration';
import { handleName, pascalCase } from './names';
import { secretsReadme } from './secrets-readme';
import { stackClass, stackFiles, type Files } from './stack-files';
import type { App } from './stacks';

/**
 * Returns the whole project, by the paths of its files.
 *
 * @param packageFrom the source of this package. Absent: a registry.
 * @param source the address that Terraform installs the provider from. Absent: the provider is
 *   placed beside the stacks.
 */
export function projectFiles(app: App, packageFrom?: string, source?: string): Files {
  return {
    'main.ts': mainFile(app.stacks, source),
    ...filesOfStacks(app),
    'cdktf.json': json({
      language: 'typescript',
      app: 'npx ts-node main.ts',
      projectId: randomUUID(),
      sendCrashReports: 'false',
      terraformProviders: [],
      terraformModules: [],
    }),
    'package.json': json(manifest(packageFrom)),
    'tsconfig.json': json({
      compilerOptions: {
        strict: true,
        target: 'ES2022',
        module: 'Node16',
        esModuleInterop: true,
        skipLibCheck: true,
        noEmit: true,
        types: ['node'],
      },
    }),
    '.gitignore': 'node_modules/\ncdktf.out/\n*.tfstate*\n',
    // Line ends are part of policies: a checkout that changed them would plan to write every policy
    // again.
    '.gitattributes': '*/policies/** -text\n',
    'README.md': readme(app, packageFrom),
  };
}

/** Returns the folders of the stacks alone, for an app that exists. */
export function filesOfStacks({ stacks }: App): Files {
  return Object.assign({}, ...stacks.map(stackFiles)) as Files;
}

function mainFile(stacks: readonly StackOfApp[], source?: string): string {
  const clusters = [
    ...new Set(stacks.flatMap(({ handles }) => handles.map(({ cluster }) => cluster))),
  ].sort();
  const variables = clusters.map((name) => `//   ${settingsOf(name, clusters.length)}\n`);
  const imports = stacks.map((stack) => `${importOf(stack)}\n`);
  const constructs = clusters.map(
    (name) =>
      `const ${handleName(name)} = new VaultCluster(app, '${pascalCase(name)}Cluster', { name: ${quoted(name)}, resourceProvider });\n`,
  );
  const uses = stacks.map((stack) => `${useOf(stack)}\n`);
  return `import { App } from 'cdktf';
import { VaultCluster, ${source === undefined ? '' : 'VaultadminInstallation, '}ResourceProvider } from 'cdktf-vault-admin';
${imports.join('')}
const app = new App();
${source === undefined ? '' : `new VaultadminInstallation(app, 'Provider', { source: ${quoted(source)} });\n`}
// Where clusters are, and the tokens to work with, is taken from the environment of Terraform:
${variables.join('')}const resourceProvider = ResourceProvider.VAULTADMIN;
${constructs.join('')}
${uses.join('')}
app.synth();
`;
}

/** Returns the line of the main file that imports a stack. */
export function importOf(stack: StackOfApp): string {
  return `import { ${stackClass(stack)} } from './${stack.name}/stack';`;
}

/** Returns the line of the main file that creates a stack. */
export function useOf(stack: StackOfApp): string {
  const handles = stack.handles.map(({ cluster }) => handleName(cluster));
  return `new ${stackClass(stack)}(app, ${quoted(stack.name)}, ${handles.join(', ')});`;
}

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifest(packageFrom: string | undefined): object {
  // The package's name leads to it from the sources as well as from what is built from them.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would copy the file into lib/
  const ours = require('cdktf-vault-admin/package.json') as Manifest;
  const peer = (name: string) => ours.peerDependencies[name];
  const dev = (name: string) => ours.devDependencies[name];
  return {
    name: 'vault-estate',
    private: true,
    scripts: { build: 'tsc', synth: 'ts-node main.ts' },
    dependencies: {
      cdktf: peer('cdktf'),
      'cdktf-vault-admin': packageFrom ?? `^${ours.version}`,
      constructs: peer('constructs'),
    },
    devDependencies: {
      '@types/node': dev('@types/node'),
      'ts-node': dev('ts-node'),
      typescript: dev('typescript'),
    },
  };
}

function readme({ stacks, variables }: App, packageFrom: string | undefined): string {
  const names = stacks.map(({ name }) => name);
  const secrets = secretsReadme(variables, '`secretsVersion: 2` beside it');
  const tarball =
    packageFrom === undefined
      ? ', with the path of the tarball of cdktf-vault-admin behind it where no registry of yours has that'
      : '';
  return `# Vault estate

1. \`npm install\`${tarball}. Choose where states are kept: a backend for each stack (${names.join(', ')}), in its \`stack.ts\`.
2. ${secrets}
3. For each stack \`cdktf diff ${names[0]}\` shows only imports: "0 to add, 0 to change, 0 to destroy". Then run \`cdktf deploy ${names[0]}\`. Without cdktf-cli: \`npm run synth\`, then \`terraform init\`, \`plan\` and \`apply\` in \`cdktf.out/stacks/${names[0]}\`.
4. Remove \`imports.ts\` and its two lines in \`stack.ts\` after the deployment.
5. From now on, change the code.
`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
