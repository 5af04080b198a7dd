import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { inFolder, readStack } from '../constructs/support/synthesize';
import { blocksOf, ROOT } from './support/page';

/** The pages, and what all the code of each declares together. */
const GUIDES: Readonly<Record<string, { stack: string; resources: readonly string[]; checks: number }>> = {
  'managed-keys': {
    stack: 'keys',
    resources: ['vault_mount', 'vault_policy', 'vaultadmin_managed_key'],
    checks: 0,
  },
  replication: { stack: 'replication', resources: ['vaultadmin_perf_replication_set'], checks: 0 },
  snapshots: {
    stack: 'snapshots',
    resources: ['vaultadmin_acl_policy', 'vaultadmin_auto_snapshot'],
    checks: 2,
  },
};

/** The code of a page, in the order in which it is read, as one app. */
const apps = Object.fromEntries(
  Object.keys(GUIDES).map((guide) => {
    const blocks = blocksOf(`docs/guides/${guide}.md`).filter(({ language }) => language === 'ts');
    return [fileOf(guide), `${blocks.map(({ text }) => text).join('\n')}\napp.synth();\n`];
  }),
);

const options: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: true,
  esModuleInterop: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  types: ['node'],
  paths: { 'cdktf-vault-admin': [join(ROOT, 'constructs', 'index.ts')] },
};

test("compiles under `strict`, as a user's app may", () => {
  const host = ts.createCompilerHost(options);
  host.fileExists = (file) => file in apps || ts.sys.fileExists(file);
  host.readFile = (file) => apps[file] ?? ts.sys.readFile(file);
  const program = ts.createProgram(Object.keys(apps), options, host);

  const found = Object.keys(apps)
    .map((file) => program.getSourceFile(file))
    .flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]);
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

test.each(Object.keys(GUIDES))('what docs/guides/%s.md shows is an app', (guide) => {
  const { stack, resources, checks } = GUIDES[guide]!;
  inFolder((folder) => {
    process.env.CDKTF_OUTDIR = folder;
    try {
      run(fileOf(guide));
    } finally {
      delete process.env.CDKTF_OUTDIR;
    }
    const synthesized = readStack(folder, stack);
    expect(Object.keys(synthesized.resource ?? {}).sort()).toEqual(resources);
    expect(Object.keys(synthesized.check ?? {})).toHaveLength(checks);
  });
});

function fileOf(guide: string): string {
  return join(ROOT, 'docs', 'guides', `${guide}.ts`);
}

function run(file: string): void {
  const { outputText } = ts.transpileModule(apps[file]!, { compilerOptions: options, fileName: file });
  const app = compileFunction(outputText, ['require', 'exports']) as (
    require: NodeJS.Require,
    exports: object,
  ) => void;
  app(require, {});
}
