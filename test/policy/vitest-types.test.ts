import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { temporaryFolder } from '../support/temporary-folder';

/** Vitest exports its types from another package, with separate files for CommonJS. */
const VITEST: Readonly<Record<string, string>> = {
  'vitest/package.json': JSON.stringify({
    name: 'vitest',
    type: 'module',
    exports: { '.': { import: { types: './dist/index.d.ts' }, require: { types: './index.d.cts' } } },
  }),
  'vitest/index.d.cts': `export * from './dist/index.js';`,
  'vitest/dist/index.d.ts': `export { Assertion, expect } from '@vitest/expect';`,
  '@vitest/expect/package.json': JSON.stringify({
    name: '@vitest/expect',
    type: 'module',
    exports: { '.': { types: './index.d.ts' } },
  }),
  '@vitest/expect/index.d.ts': `
    export interface Assertion<T = any> { toBe(value: T): void }
    export declare function expect<T>(value: T): Assertion<T>;`,
};
const TEST = `
  import { expect } from 'vitest';
  import 'cdktf-vault-admin/policy/vitest';
  expect(1).toAllow('read', 'secret/data/app');
  expect(1).toNeverAllow('read', 'secret/*');
  expect(1).toBe(2);
  expect(1).toAlow('read', 'secret/data/app');
`;

test.each([
  [ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  [ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
])("Vitest's expect has the types of the matchers, with module kind %i", (module, moduleResolution) => {
  const folder = temporaryFolder('vitest-types');
  for (const [name, text] of Object.entries(VITEST)) {
    const file = join(folder, 'node_modules', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'cdktf-vault-admin'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'a.test.ts'), TEST);
  const program = ts.createProgram([join(folder, 'a.test.ts')], {
    module,
    moduleResolution,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    preserveSymlinks: true,
    types: [],
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(problems).toEqual([
    "Property 'toAlow' does not exist on type 'Assertion<number>'. Did you mean 'toAllow'?",
  ]);
});
