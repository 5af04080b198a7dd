import { literalForTerraform, visible } from '../../../text';

/** A value that is written as TypeScript into the files of an app. */
export type CodeValue = string | number | boolean | readonly CodeValue[] | CodeProperties | CodeExpression;

/** The properties of an object. Undefined properties are left out. */
export interface CodeProperties {
  readonly [name: string]: CodeValue | undefined;
}

/** Code that is not a literal. */
export class CodeExpression {
  /** Returns the name of something in the file itself: `cluster`. */
  static local(name: string): CodeExpression {
    return new CodeExpression(name);
  }

  /** Returns a member of something that the package exports: `EnforcementLevel.ADVISORY`. */
  static member(owner: string, name: string): CodeExpression {
    return new CodeExpression(`${owner}.${name}`, [owner]);
  }

  /** Returns a call of a static method of the package: `PolicyDocument.fromFile(…)`. */
  static call(owner: string, method: string, ...args: readonly CodeValue[]): CodeExpression {
    return new CodeExpression(`${owner}.${method}`, [owner], args);
  }

  private constructor(
    readonly head: string,
    /** The names to import from the package. */
    readonly imports: readonly string[] = [],
    readonly args?: readonly CodeValue[],
    /** The call of a method of the result. */
    readonly next?: CodeExpression,
  ) {}

  /** Returns this call, followed by the call of a method of its result. */
  followedBy(method: string, ...args: readonly CodeValue[]): CodeExpression {
    return new CodeExpression(this.head, this.imports, this.args, new CodeExpression(`.${method}`, [], args));
  }
}

/** The maximum number of columns; longer lines are broken. */
export const WIDTH = 100;
export const INDENT = '  ';

/** Writes values as code, and collects the names to import for them. */
export class Printer {
  readonly #noted = new Set<string>();

  /** The names to import from the package, sorted. */
  get imports(): readonly string[] {
    return [...this.#noted].sort();
  }

  note(name: string): string {
    this.#noted.add(name);
    return name;
  }

  /** @param indent the indentation of the line in which the value begins. */
  print(value: CodeValue, indent = ''): string {
    if (typeof value === 'string') return quoted(literalForTerraform(value));
    if (typeof value !== 'object') return String(value);
    if (value instanceof CodeExpression) return this.#expression(value, indent);
    if (isList(value)) return this.#list(value, indent);
    return this.#object(value, indent);
  }

  #expression({ head, imports, args, next }: CodeExpression, indent: string): string {
    for (const name of imports) this.note(name);
    const call = args ? `${head}(${args.map((each) => this.print(each, indent)).join(', ')})` : head;
    return next ? call + this.#expression(next, indent) : call;
  }

  #list(values: readonly CodeValue[], indent: string): string {
    const inner = values.map((each) => this.print(each, indent + INDENT));
    const line = `[${inner.join(', ')}]`;
    if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line;
    return `[\n${inner.map((each) => `${indent + INDENT}${each},\n`).join('')}${indent}]`;
  }

  #object(fields: CodeProperties, indent: string): string {
    const entries = Object.entries(fields).filter(
      (entry): entry is [string, CodeValue] => entry[1] !== undefined,
    );
    const lines = entries.map(([name, value]) => {
      const printed = this.print(value, indent + INDENT);
      const key = isIdentifier(name) ? name : quoted(name);
      return `${indent + INDENT}${key === printed ? key : `${key}: ${printed}`},\n`;
    });
    return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
  }
}

/**
 * Returns a text in single quotes, with escapes for invisible characters: reviewers see what the
 * code does.
 */
export function quoted(text: string): string {
  return `'${visible(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'"))}'`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

function isList(value: CodeValue): value is readonly CodeValue[] {
  return Array.isArray(value);
}
