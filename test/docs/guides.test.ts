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
  'audit-devices': { stack: 'audit', resources: ['vaultadmin_audit_device'], checks: 0 },
  'auto-snapshots': {
    stack: 'snapshots',
    resources: ['vaultadmin_acl_policy', 'vaultadmin_auto_snapshot'],
    checks: 2,
  },
};

const PAGES = ['README', 'first-policy', 'policies-that-answer', 'sentinel', ...Object.keys(GUIDES)];

/** All programs of the pages, by the files that they could be. */
const programs = Object.fromEntries(
  PAGES.flatMap((page) => programsOf(page).map((code, index) => [fileOf(page, index, code), code])),
);

const options: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: true,
  esModuleInterop: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  types: ['node'],
  paths: {
    'cdktf-vault-admin': [join(ROOT, 'constructs', 'index.ts')],
    'cdktf-vault-admin/bindings/*': [
      join(ROOT, 'constructs', 'generated', 'providers', 'vaultadmin', '*', 'index.ts'),
    ],
    'cdktf-vault-admin/*': [join(ROOT, 'src', '*', 'index.ts')],
  },
};

test("all code compiles under `strict`, as a user's app may", () => {
  const host = ts.createCompilerHost(options);
  host.fileExists = (file) => file in programs || ts.sys.fileExists(file);
  host.readFile = (file) => programs[file] ?? ts.sys.readFile(file);
  const program = ts.createProgram(Object.keys(programs), options, host);

  const found = Object.keys(programs)
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
      const [code] = programsOf(guide);
      run(`${code!}\napp.synth();\n`);
    } finally {
      delete process.env.CDKTF_OUTDIR;
    }
    const synthesized = readStack(folder, stack);
    expect(Object.keys(synthesized.resource ?? {}).sort()).toEqual(resources);
    expect(Object.keys(synthesized.check ?? {})).toHaveLength(checks);
  });
});

/** The code of a page, in the order in which it is read: a block goes on with what was begun before it, unless it names its file. */
function programsOf(page: string): readonly string[] {
  const programs: string[] = [];
  const file = page === 'README' ? 'README.md' : `docs/guides/${page}.md`;
  for (const { text } of blocksOf(file).filter(({ language }) => language === 'ts')) {
    if (/new App\(|^\/\/ \S+\.test\.ts$/m.test(text) || awaits(text)) programs.push(text);
    else programs.push(`${programs.pop()}\n${text}`);
  }
  return programs;
}

/** Only modules of the newer kind may wait outside of functions. */
function fileOf(page: string, index: number, code: string): string {
  return join(ROOT, 'docs', `${page}-${index}.${awaits(code) ? 'mts' : 'ts'}`);
}

function awaits(code: string): boolean {
  return /^(const .* = )?await /m.test(code);
}

function run(code: string): void {
  const { outputText } = ts.transpileModule(code, { compilerOptions: options });
  const app = compileFunction(outputText, ['require', 'exports']) as (
    require: NodeJS.Require,
    exports: object,
  ) => void;
  app(require, {});
}
