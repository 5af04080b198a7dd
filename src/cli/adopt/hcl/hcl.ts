/** Terraform's own language, as plain configurations are written in it. */

export type HclValue =
  | string
  | number
  | boolean
  | readonly HclValue[]
  | { readonly [name: string]: HclValue | undefined }
  | HclExpression;

/** An expression that is not a literal: `var.hsm_pin`. */
export class HclExpression {
  constructor(readonly text: string) {}
}

/** The content of a block's braces. Arguments that are undefined are left out. */
export interface HclBody {
  readonly [name: string]: HclValue | HclBlock | undefined;
}

/** A block: `resource "vaultadmin_acl_policy" "ops" { … }`. */
export class HclBlock {
  constructor(
    readonly body: HclBody,
    readonly labels: readonly string[] = [],
  ) {}
}

/** The maximum number of columns; longer lists are broken. */
const WIDTH = 100;
const INDENT = '  ';

/** Returns a file of blocks, formatted as by `terraform fmt`. */
export function hclFile(blocks: readonly (readonly [type: string, block: HclBlock])[]): string {
  return blocks.map(([type, block]) => `${printBlock(type, block, '')}\n`).join('\n');
}

function printBlock(type: string, { labels, body }: HclBlock, indent: string): string {
  const head = [type, ...labels.map(quoted)].join(' ');
  const inner = printBody(body, indent + INDENT);
  return inner === '' ? `${indent}${head} {}` : `${indent}${head} {\n${inner}${indent}}`;
}

/** Prints the arguments of a body, then its blocks. */
function printBody(body: HclBody, indent: string): string {
  const entries = Object.entries(body);
  const blocks = entries.flatMap(([name, value]) =>
    value instanceof HclBlock ? [`${printBlock(name, value, indent)}\n`] : [],
  );
  const values = entries.filter((entry): entry is [string, HclValue] => !(entry[1] instanceof HclBlock));
  const lines = printArguments(Object.fromEntries(values), (name) => name, indent);
  return [...(lines === '' ? [] : [lines]), ...blocks].join('\n');
}

/** Prints lines of `name = value`. The equals signs of adjacent one-line arguments are aligned. */
function printArguments(
  values: Readonly<Record<string, HclValue | undefined>>,
  keyOf: (name: string) => string,
  indent: string,
): string {
  const printed = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [{ key: keyOf(name), text: printHcl(value, indent) }],
  );
  const isLong = (at: number) => printed[at]?.text.includes('\n') ?? true;
  const lines = printed.map(({ key, text }, at) => {
    let first = at;
    let last = at;
    while (!isLong(at) && !isLong(first - 1)) first -= 1;
    while (!isLong(at) && !isLong(last + 1)) last += 1;
    const width = Math.max(...printed.slice(first, last + 1).map((each) => each.key.length));
    return `${indent}${key.padEnd(width)} = ${text}\n`;
  });
  return lines.join('');
}

/** @param indent the indentation of the line in which the value begins. */
export function printHcl(value: HclValue, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof HclExpression) return value.text;
  if (isList(value)) return printList(value, indent);
  const inner = printArguments(value, keyOf, indent + INDENT);
  return inner === '' ? '{}' : `{\n${inner}${indent}}`;
}

function printList(values: readonly HclValue[], indent: string): string {
  const inner = values.map((each) => printHcl(each, indent + INDENT));
  const line = `[${inner.join(', ')}]`;
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line;
  return `[\n${inner.map((each) => `${indent + INDENT}${each},\n`).join('')}${indent}]`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : quoted(name);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '${': '$${',
  '%{': '%%{',
};

/** The characters that end a text, begin an expression, or are invisible to a reviewer. */
const SPECIAL = /["\\]|[$%]\{|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns a text in quotes that Terraform takes literally. */
function quoted(text: string): string {
  return `"${text.replace(SPECIAL, (found) => ESCAPES[found] ?? unicodeEscape(found))}"`;
}

function unicodeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

function isList(value: HclValue): value is readonly HclValue[] {
  return Array.isArray(value);
}
