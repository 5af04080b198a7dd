import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const EXAMPLES = ['bootstrap', 'managed-keys', 'policies', 'replication', 'snapshots'];

test('the examples compile with exactOptionalPropertyTypes', () => {
  const program = ts.createProgram(
    EXAMPLES.map((example) => join(ROOT, 'examples', example, 'main.ts')),
    {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Node16,
      types: ['node'],
    },
  );
  const declarations = join(ROOT, 'lib', 'constructs', 'index.d.ts');
  expect(program.getSourceFile(declarations)).toBeDefined();
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(messages).toEqual([]);
});

test('the declarations of the package compile with exactOptionalPropertyTypes and without skipLibCheck', () => {
  const lib = join(ROOT, 'lib');
  const entries = ['constructs', 'src/client', 'src/emulator', 'src/model', 'src/policy'];
  const program = ts.createProgram(
    entries.map((entry) => join(lib, entry, 'index.d.ts')),
    {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
      module: ts.ModuleKind.Node16,
      types: ['node'],
    },
  );
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(lib));
  expect(ours.length).toBeGreaterThan(100);
  const problems = ours.flatMap((file) =>
    [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${file.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    ),
  );
  expect(problems).toEqual([]);
});
