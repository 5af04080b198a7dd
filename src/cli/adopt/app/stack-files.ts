import { INDENT, Printer, quoted, WIDTH } from './code';
import type { Declaration, Handle, Part, StackOfApp } from './declaration';
import { camelCase, pascalCase, slug } from './names';

/** Texts of files, by their paths. */
export type Files = Readonly<Record<string, string>>;

/** Returns the name of the class of a stack. */
export function stackClass({ name }: StackOfApp): string {
  return `${pascalCase(name)}Stack`;
}

/**
 * Returns the folder of a stack: the stack itself, a file for each of its parts, and the import
 * blocks.
 */
export function stackFiles(stack: StackOfApp): Files {
  const { name, parts, handles } = stack;
  const declarations = parts.flatMap((part) => part.declarations);
  return {
    [`${name}/stack.ts`]: stackFile(stack),
    ...Object.fromEntries(parts.map((part) => [`${name}/${fileOf(part)}.ts`, partFile(part, handles)])),
    [`${name}/imports.ts`]: importsFile(declarations),
    ...(Object.assign({}, ...declarations.map(({ files }) => files)) as Files),
  };
}

function stackFile(stack: StackOfApp): string {
  const { parts, handles } = stack;
  const functions = parts.map((part) => [camelCase(fileOf(part)), fileOf(part)] as const);
  const locals = handles.map(({ local }) => local).join(', ');
  return `import { TerraformStack } from 'cdktf';
import type { IVaultCluster } from 'cdktf-vault-admin';
import type { Construct } from 'constructs';
${functions.map(([name, file]) => `import { ${name} } from './${file}';\n`).join('')}import { imports } from './imports';

export class ${stackClass(stack)} extends TerraformStack {
  constructor(scope: Construct, id: string, ${parameters(handles)}) {
    super(scope, id);
${functions.map(([name]) => `    ${name}(this, ${locals});\n`).join('')}
    // To be removed after the first deployment, together with the file.
    this.addOverride('import', imports);
  }
}
`;
}

function partFile(part: Part, handles: readonly Handle[]): string {
  const printer = new Printer();
  const statements = part.declarations.map((declaration) => statement(declaration, printer));
  return `${importOf([...printer.imports, 'type IVaultCluster'])}
import type { Construct } from 'constructs';

/** The ${part.title} that were there when this app was written. */
export function ${camelCase(fileOf(part))}(scope: Construct, ${parameters(handles)}): void {
${statements.join('\n')}}
`;
}

function importOf(names: readonly string[]): string {
  const line = `import { ${names.join(', ')} } from 'cdktf-vault-admin';`;
  return line.length <= WIDTH
    ? line
    : `import {\n${names.map((name) => `${INDENT}${name},\n`).join('')}} from 'cdktf-vault-admin';`;
}

/** Returns the name of the file of a part: `acl-policies`. */
export function fileOf({ title }: Part): string {
  return slug(title).toLowerCase();
}

function statement({ construct, id, props }: Declaration, printer: Printer): string {
  return `  new ${printer.note(construct)}(scope, ${quoted(id)}, ${printer.print(props, '  ')});\n`;
}

/**
 * Returns the file with the import blocks of a stack. The method `importFrom` of resources is not
 * used, because each call would start terraform during the synthesis to ask for its version.
 */
function importsFile(declarations: readonly Declaration[]): string {
  const blocks = declarations.map(({ resource, id, importId }) => ({
    to: `${resource}.${id}`,
    id: importId,
  }));
  return `/** What is on the servers already, and is taken over by the first deployment. */
export const imports = ${new Printer().print(blocks)};
`;
}

function parameters(handles: readonly Handle[]): string {
  return handles.map(({ local }) => `${local}: IVaultCluster`).join(', ');
}
