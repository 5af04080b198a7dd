/**
 * Writes JSON Schemas for the output of commands with `--json`, from the TypeScript types of the
 * output. A folder may be named as the argument.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFormatter, createParser, createProgram, SchemaGenerator } from 'ts-json-schema-generator';
import { targetArgument } from './npm-run.mjs';

/** The type of each command's report. */
const REPORTS = {
  adopt: 'AdoptReport',
  doctor: 'DoctorReport',
  emulator: 'EmulatorReport',
  'policy-can': 'RequestReport',
  'policy-check': 'CheckReport',
  'policy-diff': 'DiffReport',
  'policy-eval': 'EvaluateReport',
  'policy-from-audit': 'FromAuditReport',
  'policy-lint': 'LintReport',
  'policy-list': 'ListReport',
  'policy-test': 'TestReport',
  'policy-upgrade': 'UpgradeReport',
  'policy-why': 'RequestReport',
  status: 'StatusReport',
  'status-unmanaged': 'UnmanagedReport',
  verify: 'PrintedReport',
};

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = targetArgument(join(root, 'docs', 'reference', 'schemas'));
mkdirSync(folder, { recursive: true });

const config = {
  path: join(root, 'lib', 'src', '{cli,emulator}', '**', '*.d.ts'),
  tsconfig: join(root, 'tsconfig.json'),
  expose: 'none',
  topRef: false,
  jsDoc: 'extended',
  // Later versions of a command may print more fields.
  additionalProperties: true,
  skipTypeCheck: true,
};
const program = createProgram(config);
const generator = new SchemaGenerator(
  program,
  createParser(program, config),
  createFormatter(config),
  config,
);

for (const [name, type] of Object.entries(REPORTS)) {
  const { $schema, ...schema } = withoutPositions(generator.createSchema(type));
  const title = `cdktf-vault-admin ${name.replace('status-', 'status --').replace(/^policy-/, 'policy ')} --json`;
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`);
}

/**
 * Returns a schema whose definitions are numbered. The generator names them after positions in the
 * sources, which change with each comment.
 */
function withoutPositions(schema) {
  const text = Object.keys(schema.definitions ?? {}).reduce(
    (changed, name, index) => changed.replaceAll(name, `definition-${index + 1}`),
    JSON.stringify(schema),
  );
  return JSON.parse(text);
}
