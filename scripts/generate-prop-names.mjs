/**
 * Writes constructs/generated/props.ts: the properties of each exported interface of constructs,
 * and their types, such as `string`, `Duration[]` and `string{}` (a map). TypeScript erases
 * interfaces, so without this file constructs could not refuse a misspelled property or a value of
 * another type.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const constructs = join(dirname(fileURLToPath(import.meta.url)), '..', 'constructs');
const target = join(constructs, 'generated');

const interfaces = new Map(exportedFiles().flatMap(interfacesIn));
const lines = [...interfaces.keys()].sort().map((type) => {
  const props = propsOf(type).map(([name, declared]) => `${name}: '${declared}'`);
  return `  ${type}: { ${props.join(', ')} },\n`;
});
mkdirSync(target, { recursive: true });
writeFileSync(
  join(target, 'props.ts'),
  `// Written by scripts/generate-prop-names.mjs.\nexport const PROPS = {\n${lines.join('')}} as const;\n`,
);

/** Returns the files that declare the exports of the package. */
function exportedFiles() {
  const index = readFileSync(join(constructs, 'index.ts'), 'utf8');
  return Array.from(index.matchAll(/'\.\/(.*)'/g), ([, path]) => join(constructs, `${path}.ts`));
}

/**
 * Returns the interfaces of properties. Interfaces whose names begin with I are left out, because
 * they are those of constructs.
 */
function interfacesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  return source.statements
    .filter((each) => ts.isInterfaceDeclaration(each) && !/^I[A-Z]/.test(each.name.text))
    .map((each) => [each.name.text, each]);
}

function propsOf(type) {
  const { members, heritageClauses = [] } = interfaces.get(type);
  const inherited = heritageClauses.flatMap(({ types }) =>
    types.flatMap(({ expression }) => propsOf(expression.text)),
  );
  const own = members
    .filter(ts.isPropertySignature)
    .map(({ name, type: declared }) => [name.text, shortType(declared.getText())]);
  return [...inherited, ...own];
}

/** Returns `Duration{}` for `{ readonly [name: string]: Duration } | undefined`. */
function shortType(declared) {
  return declared
    .replace(/ \| undefined$/, '')
    .replace(/^\{ (?:readonly )?\[\w+: string\]: (.*) \}$/, '$1{}');
}
