/**
 * Writes the documentation of the provider, from its own schema and the examples in
 * docs/reference/examples/, in the layout of the Terraform Registry: docs/index.md,
 * docs/resources/, docs/data-sources/ and so on. Another folder than docs/ may be named as the
 * argument.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  argumentReference,
  attributeReference,
  parameterList,
  typeText,
} from './provider-docs/reference.mjs';
import { targetArgument } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { providerSchemaJson } = require(join(root, 'lib', 'src', 'plugin'));
const { PROVIDER, PROVIDER_ADDRESS } = require(join(root, 'lib', 'src', 'provider'));
const EXAMPLES = join(root, 'docs', 'reference', 'examples');
const IMPORTS = JSON.parse(readFileSync(join(EXAMPLES, 'imports.json'), 'utf8'));
const target = targetArgument(join(root, 'docs'));

const { [PROVIDER_ADDRESS]: schema } = providerSchemaJson(PROVIDER, PROVIDER_ADDRESS).provider_schemas;

/** The kinds of pages, by the folder of each. */
const KINDS = {
  resources: { title: 'Resource', of: schema.resource_schemas },
  'data-sources': { title: 'Data Source', of: schema.data_source_schemas },
  'ephemeral-resources': {
    title: 'Ephemeral Resource',
    of: schema.ephemeral_resource_schemas,
    requires: 'The values of an ephemeral resource are never stored. Requires Terraform 1.10 or later.',
  },
  'list-resources': {
    title: 'List Resource',
    of: schema.list_resource_schemas,
    extension: 'tfquery.hcl',
    requires: '`terraform query` lists the objects. Requires Terraform 1.14 or later.',
  },
  actions: {
    title: 'Action',
    of: schema.action_schemas,
    requires:
      'Run an action with `terraform apply -invoke=action.TYPE.NAME`, or trigger it in the `lifecycle` of a resource. It leaves no ' +
      'state. Requires Terraform 1.14 or later.',
  },
};

/** The groups of pages, by how the names of their resource types begin. */
const SUBCATEGORIES = [
  [/^(acl|rgp|egp)_polic/, 'Policies'],
  [/^managed_key/, 'Managed Keys'],
  [/^namespace/, 'Namespaces'],
  [/^auto_snapshot/, 'Automated Snapshots'],
  [/^(snapshot_|recovered_)/, 'Loaded Snapshots'],
  [/^audit_device/, 'Audit Devices'],
  [/^perf_replication/, 'Performance Replication'],
  [/^token/, 'Tokens'],
  [/^unmanaged/, 'Estates'],
];

write('index.md', [
  frontMatter({ title: `${PROVIDER.name} Provider`, description: schema.provider.block.description }),
  `# ${PROVIDER.name} Provider`,
  schema.provider.block.description,
  '## Example Usage',
  example('provider.tf'),
  ...argumentReference(schema.provider.block),
  ...Object.entries(KINDS).flatMap(([folder, { title, of }]) => [
    `## ${title}s`,
    contents(folder, Object.keys(of).map(shortName)),
  ]),
  '## Functions',
  contents('functions', Object.keys(schema.functions)),
]);

for (const [folder, kind] of Object.entries(KINDS)) {
  rmSync(join(target, folder), { recursive: true, force: true });
  for (const [type, { block }] of Object.entries(kind.of)) {
    const name = shortName(type);
    write(`${folder}/${name}.md`, [
      frontMatter({
        title: `${type} ${kind.title} - ${PROVIDER.name}`,
        subcategory: subcategoryOf(name),
        description: block.description,
      }),
      `# ${type} (${kind.title})`,
      block.description,
      kind.requires,
      '## Example Usage',
      example(`${folder}/${name}.${kind.extension ?? 'tf'}`),
      ...argumentReference(block),
      ...attributeReference(block),
      ...(folder === 'resources' ? importOf(type, name) : []),
    ]);
  }
}

rmSync(join(target, 'functions'), { recursive: true, force: true });
for (const [name, definition] of Object.entries(schema.functions)) {
  const parameters = definition.parameters.map((each) => `${each.name} ${typeText(each.type)}`).join(', ');
  write(`functions/${name}.md`, [
    frontMatter({
      title: `${name} Function - ${PROVIDER.name}`,
      subcategory: 'Functions',
      description: definition.summary,
    }),
    `# ${name} (Function)`,
    definition.description,
    'Functions are computed without any cluster. Requires Terraform 1.8 or later, or OpenTofu 1.7 or later.',
    '## Example Usage',
    example(`functions/${name}.tf`),
    '## Signature',
    `\`\`\`text\nprovider::${PROVIDER.name}::${name}(${parameters}) ${typeText(definition.return_type)}\n\`\`\``,
    '## Arguments',
    parameterList(definition.parameters),
  ]);
}

function subcategoryOf(name) {
  const found = SUBCATEGORIES.find(([pattern]) => pattern.test(name));
  if (!found) throw new Error(`the pages of ${name} have no group: add one to SUBCATEGORIES in this script`);
  return found[1];
}

function importOf(type, name) {
  if (!(name in IMPORTS))
    throw new Error(`${name} has no import: add one to docs/reference/examples/imports.json`);
  const { name: label, id, identity } = IMPORTS[name];
  const to = `${type}.${label}`;
  const width = Math.max(...Object.keys(identity).map((each) => each.length));
  const attributes = Object.entries(identity).map(
    ([key, value]) => `    ${key.padEnd(width)} = ${JSON.stringify(value)}`,
  );
  return [
    '## Import',
    'By its import ID, in an `import` block:',
    fenced('terraform', `import {\n  to = ${to}\n  id = "${id}"\n}\n`),
    'By its identity (Terraform 1.12 or later):',
    fenced('terraform', `import {\n  to = ${to}\n  identity = {\n${attributes.join('\n')}\n  }\n}\n`),
    'On the command line:',
    fenced('sh', `terraform import ${to} ${id}\n`),
    importIdHelp(name),
  ];
}

function importIdHelp(name) {
  if (/^perf_replication_(primary|secondary)$/.test(name)) return 'The import ID is the name of the cluster.';
  if (name === 'perf_replication_set')
    return "The import ID is the name of the primary. The import finds the secondaries among the clusters of the provider's configuration.";
  if (name === 'snapshot_load')
    return 'The import ID has the form `[cluster/]snapshot_id`, or in full `cluster//snapshot_id`.';
  const object =
    name === 'managed_key' ? 'type/name' : ['audit_device', 'namespace'].includes(name) ? 'path' : 'name';
  return (
    `The import ID has the form \`[cluster/][namespace/]${object}\`. If the short form is ambiguous, use the full form ` +
    `\`cluster/namespace//${object}\`. The attribute \`id\` shows the full form.`
  );
}

function frontMatter({ title, subcategory = '', description }) {
  const [first] = description.split('\n\n');
  return `---\npage_title: "${title}"\nsubcategory: "${subcategory}"\ndescription: |-\n  ${first.replaceAll('\n', ' ')}\n---`;
}

function contents(folder, names) {
  return names.map((name) => `- [\`${name}\`](${folder}/${name}.md)`).join('\n');
}

function example(path) {
  return fenced('terraform', readFileSync(join(EXAMPLES, path), 'utf8'));
}

function fenced(language, text) {
  return `\`\`\`${language}\n${text}\`\`\``;
}

function shortName(type) {
  return type.replace(`${PROVIDER.name}_`, '');
}

function write(page, parts) {
  const path = join(target, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${parts.filter((part) => part !== undefined).join('\n\n')}\n`);
}
