/**
 * Writes docs/reference/provider.md: what the provider offers, from its own schema, with the examples in
 * docs/reference/examples/. Another file may be named as the argument.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { providerSchemaJson } = require(join(root, 'lib', 'src', 'plugin'));
const { PROVIDER, PROVIDER_ADDRESS } = require(join(root, 'lib', 'src', 'provider'));
const target = process.argv[2] ?? join(root, 'docs', 'reference', 'provider.md');

const { [PROVIDER_ADDRESS]: schema } = providerSchemaJson(PROVIDER, PROVIDER_ADDRESS).provider_schemas;

const configuration = schema.provider.block;
const page = [
  `# The Terraform provider \`${PROVIDER.name}\``,
  "This page is generated from the provider's own schema.",
  configuration.description,
  example('provider'),
  '## Configuration',
  attributeTable(configuration),
  '## Resources',
  ...section(schema.resource_schemas, (type) => example(type.replace(`${PROVIDER.name}_`, ''))),
  '## Import',
  'Every resource is imported by an id of the form `[cluster/][namespace/]name`. Where the name holds slashes, or it is ' +
    'not clear what is what, the full form `cluster/namespace//name` says it; the attribute `id` always shows that form. ' +
    "A cluster's part in performance replication is imported by the name of the cluster.",
  example('import'),
  '## Data sources',
  example('data_sources'),
  ...section(schema.data_source_schemas, () => undefined),
  '## Ephemeral resources',
  'What they give is never stored. They need Terraform 1.10 or later.',
  ...section(schema.ephemeral_resource_schemas, () => undefined),
  '## List resources',
  '`terraform query` finds what resources can manage. It needs Terraform 1.14 or later.',
  example('list_resources', 'tfquery.hcl'),
  ...section(schema.list_resource_schemas, () => undefined),
  '## Actions',
  'An action is done once, and leaves no state: with `terraform apply -invoke=action.TYPE.NAME`, or as a trigger in the ' +
    '`lifecycle` of a resource. Actions need Terraform 1.14 or later.',
  example('actions', 'hcl'),
  ...section(schema.action_schemas, () => undefined),
  '## Functions',
  'Functions are computed offline, without any cluster. They need Terraform 1.8 or later, or OpenTofu 1.7 or later.',
  example('functions'),
  ...Object.entries(schema.functions).flatMap(([name, definition]) => [
    `### \`${name}\``,
    definition.description,
    parameterTable(definition.parameters),
  ]),
];
writeFileSync(target, `${page.filter((part) => part !== undefined).join('\n\n')}\n`);

function section(schemas, exampleOf) {
  return Object.entries(schemas).flatMap(([type, { block }]) => [
    `### \`${type}\``,
    block.description,
    exampleOf(type),
    attributeTable(block),
  ]);
}

function example(name, extension = 'tf') {
  const text = readFileSync(join(root, 'docs', 'reference', 'examples', `${name}.${extension}`), 'utf8');
  return `\`\`\`terraform\n${text}\`\`\``;
}

function attributeTable({ attributes, block_types: blocks = {} }) {
  const rows = [...attributeRows(attributes), ...blockRows(blocks)].map(
    ({ name, type, presence, description }) => `| \`${name}\` | ${type} | ${presence} | ${description} |`,
  );
  return ['| Attribute | Type | | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function parameterTable(parameters) {
  const rows = parameters.map(
    ({ name, type, description }) => `| \`${name}\` | ${typeText({ type })} | ${description} |`,
  );
  return ['| Argument | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** One row an attribute, those within it after it: `clusters.<name>.address`. */
function attributeRows(attributes, prefix = '') {
  return Object.entries(attributes).flatMap(([attribute, definition]) => {
    const { nested_type: nested, description = '' } = definition;
    const name = prefix + attribute;
    const within = nested?.nesting_mode === 'map' ? `${name}.<name>.` : `${name}.`;
    return [
      { name, type: typeText(definition), presence: presenceText(definition), description },
      ...(nested ? attributeRows(nested.attributes, within) : []),
    ];
  });
}

/** One row a block, those of its attributes after it: `aws_s3.aws_s3_bucket`. */
function blockRows(blocks) {
  return Object.entries(blocks).flatMap(([name, { block, min_items: least = 0 }]) => [
    {
      name,
      type: 'block',
      presence: least > 0 ? 'required' : 'optional',
      description: block.description ?? '',
    },
    ...attributeRows(block.attributes, `${name}.`),
  ]);
}

function typeText({ type, nested_type: nested }) {
  if (nested) return nested.nesting_mode === 'single' ? 'object' : `${nested.nesting_mode} of objects`;
  if (!Array.isArray(type)) return type;
  const [collection, element] = type;
  if (collection === 'object') return 'object';
  return `${collection} of ${typeText({ type: element })}`;
}

function presenceText({ required, optional, computed, sensitive, write_only: writeOnly }) {
  const presence = required ? 'required' : optional ? 'optional' : computed ? 'read-only' : '';
  return [presence, sensitive && 'secret', writeOnly && 'write-only'].filter(Boolean).join(', ');
}
