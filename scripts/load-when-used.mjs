/**
 * Makes compiled files load a module only when one of its names is used: index files, because a
 * program that imports one needs few of its names, and the constructs, because an app needs few of
 * the modules that they import. An index file is a file that only re-exports. The argument is the
 * folder with the sources and lib/; the default is the project.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..');

for (const folder of ['src', 'constructs']) {
  for (const path of readdirSync(join(root, folder), { recursive: true })) {
    const file = join(root, 'lib', folder, path.replace(/\.ts$/, '.js'));
    if (!path.endsWith('.ts') || path.includes('generated') || !existsSync(file)) continue;
    const { statements } = ts.createSourceFile(
      path,
      readFileSync(join(root, folder, path), 'utf8'),
      ts.ScriptTarget.Latest,
    );
    const isIndex = statements.every((each) => ts.isExportDeclaration(each) && each.moduleSpecifier);
    if (isIndex && statements.length > 0) writeFileSync(file, codeOf(exportsOf(statements, file)));
    else if (folder === 'constructs') writeFileSync(file, withLateImports(readFileSync(file, 'utf8')));
  }
}

/**
 * Replaces each constant for a module of this project by a function that loads the module in its
 * first call. The compiler chooses the names of these constants, so they have no other meaning in
 * the file.
 */
function withLateImports(code) {
  const modules = new Set();
  return code
    .replace(/^const (\w+_\d+) = (require\("\..*"\));$/gm, (_, name, load) => {
      modules.add(name);
      return `let ${name}_; const ${name} = () => ${name}_ ??= ${load};`;
    })
    .replace(/\b(\w+_\d+)\./g, (use, name) => (modules.has(name) ? `(${name}()).` : use));
}

/**
 * Returns the exports of an index file, by their names in it: the module that exports each, and the
 * name in that module. A named export has precedence over the names of `export *`.
 */
function exportsOf(statements, file) {
  const require = createRequire(file);
  const ofStars = new Map();
  const own = new Map();
  for (const { isTypeOnly, exportClause, moduleSpecifier } of statements) {
    if (isTypeOnly) continue;
    const module = moduleSpecifier.text;
    if (!exportClause) for (const name of Object.keys(require(module))) ofStars.set(name, { module, name });
    else if (ts.isNamespaceExport(exportClause)) own.set(exportClause.name.text, { module });
    else
      for (const { isTypeOnly: isType, name, propertyName = name } of exportClause.elements)
        if (!isType) own.set(name.text, { module, name: propertyName.text });
  }
  return new Map([...ofStars, ...own]);
}

function codeOf(exported) {
  const lines = [...exported].map(([own, { module, name }]) => {
    const value = `require(${JSON.stringify(module)})${name === undefined ? '' : `.${name}`}`;
    return `lazy(${JSON.stringify(own)}, () => ${value});\n`;
  });
  return `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const lazy = (name, load) => Object.defineProperty(exports, name, {
  configurable: true,
  enumerable: true,
  get: () => {
    const value = load();
    Object.defineProperty(exports, name, { value });
    return value;
  },
});
${lines.join('')}// The names for ES modules, which read them in this text.
0 && (module.exports = { ${[...exported.keys()].join(', ')} });
`;
}
