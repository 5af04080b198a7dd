import { join } from 'node:path';
import ts from 'typescript';
import { inFolder, readStack } from '../constructs/support/synthesize';
import { ROOT } from './support/page';
import { appsOf, COMPILER_OPTIONS, programsOf, runApp } from './support/programs';

/** The pages, with the declarations that all code of a page shares. */
const GUIDES: Readonly<Record<string, { stack: string; resources: readonly string[]; checks: number }>> = {
  'managed-keys': {
    stack: 'keys',
    resources: ['vault_mount', 'vault_policy', 'vaultadmin_managed_key'],
    checks: 0,
  },
  replication: { stack: 'replication', resources: ['vaultadmin_perf_replication_set'], checks: 0 },
  'audit-devices': { stack: 'audit', resources: ['vaultadmin_audit_device'], checks: 0 },
  namespaces: {
    stack: 'teams',
    resources: ['vaultadmin_acl_policy', 'vaultadmin_namespace'],
    checks: 0,
  },
  'auto-snapshots': {
    stack: 'snapshots',
    resources: ['vaultadmin_acl_policy', 'vaultadmin_auto_snapshot'],
    checks: 2,
  },
};

const PAGES = [
  'changing-providers',
  'client',
  'first-policy',
  'policies-that-answer',
  'registry',
  'sentinel',
  'several-clusters',
  ...Object.keys(GUIDES),
];

/** All programs of the pages, by possible file names. */
const programs = Object.fromEntries(
  PAGES.flatMap((page) =>
    programsOf(fileOf(page), 'ts').map((code, index) => [programFile(page, index, code), code]),
  ),
);

test("all code of the guides compiles under `strict`, like a user's app may", () => {
  const host = ts.createCompilerHost(COMPILER_OPTIONS);
  host.fileExists = (file) => file in programs || ts.sys.fileExists(file);
  host.readFile = (file) => programs[file] ?? ts.sys.readFile(file);
  const program = ts.createProgram(Object.keys(programs), COMPILER_OPTIONS, host);

  const found = Object.keys(programs)
    .map((file) => program.getSourceFile(file))
    .flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]);
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

test.each(Object.keys(GUIDES))('the code of docs/guides/%s.md is an app', (guide) => {
  const { stack, resources, checks } = GUIDES[guide]!;
  inFolder((folder) => {
    const [app] = appsOf(fileOf(guide), 'ts');
    runApp(app!, folder);
    const synthesized = readStack(folder, stack);
    expect(Object.keys(synthesized.resource ?? {}).sort()).toEqual(resources);
    expect(Object.keys(synthesized.check ?? {})).toHaveLength(checks);
  });
});

function fileOf(page: string): string {
  return `docs/guides/${page}.md`;
}

/** Only ES modules may use `await` outside of functions. */
function programFile(page: string, index: number, code: string): string {
  const awaits = /^(const .* = )?await /m.test(code);
  return join(ROOT, 'docs', `${page}-${index}.${awaits ? 'mts' : 'ts'}`);
}
