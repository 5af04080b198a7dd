import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { STRING_PROPS } from '../../../constructs/private/string-props';

const CONSTRUCTS = join(__dirname, '..', '..', '..', 'constructs');

/** Returns the files that declare the exports of `constructs/index.ts`. */
function exportedFiles(): string[] {
  const index = readFileSync(join(CONSTRUCTS, 'index.ts'), 'utf8');
  return Array.from(index.matchAll(/'\.\/(.*)'/g), ([, path]) => join(CONSTRUCTS, `${path}.ts`));
}

/**
 * Returns the properties and parameters with texts in a file: `KeyProps.name`,
 * `Key.fromName(name)`.
 */
function textsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  return source.statements.flatMap((statement) => {
    if (ts.isInterfaceDeclaration(statement)) {
      // Interfaces whose name begins with I describe constructs, not their properties.
      if (/^I[A-Z]/.test(statement.name.text)) return [];
      return statement.members.filter(ts.isPropertySignature).filter(hasText).map(nameOf(statement));
    }
    if (!ts.isClassDeclaration(statement)) return [];
    return statement.members.filter(ts.isMethodDeclaration).flatMap((method) => {
      const name = method.name.getText();
      const isPrivate = method.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
      if (isPrivate || name.startsWith('_') || isOfConstruct(method)) return [];
      return method.parameters
        .filter(hasText)
        .map((parameter) => `${nameOf(statement)(method)}(${parameter.name.getText()})`);
    });
  });
}

/**
 * Whether a method such as `fromPolicyName(scope, id, policyName)` creates a construct: its id
 * belongs to the construct tree only.
 */
function isOfConstruct({ parameters }: ts.MethodDeclaration): boolean {
  return parameters[1]?.name.getText() === 'id' && parameters.length === 3 && !hasText(parameters[2]!);
}

function hasText({ type }: { readonly type?: ts.TypeNode | undefined }): boolean {
  return /\bstring\b/.test(type?.getText() ?? '');
}

function nameOf(owner: ts.InterfaceDeclaration | ts.ClassDeclaration) {
  return (member: ts.TypeElement | ts.ClassElement): string =>
    `${owner.name!.text}.${member.name!.getText()}`;
}

test('every text of a construct has a rule for late values, or a reason why it needs none', () => {
  const declared = exportedFiles()
    .flatMap(textsIn)
    .filter((name) => !/^(AclPolicy|EgpPolicy|RgpPolicy)\.fromPolicyName\(id\)$/.test(name));
  expect(declared.sort()).toEqual(Object.keys(STRING_PROPS).sort());
});
