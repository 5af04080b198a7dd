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
