import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { POLICY_RESOURCE_TYPES, type TextPosition } from '../../../model';
import { beginningOf } from '../../../policy/acl-files';
import { readTextFile } from '../../../policy/text-file';
import { terraformStrings, type TerraformBlock, type TerraformString } from './strings';

/** A policy that a Terraform file contains, or reads from another file. */
interface TerraformPolicy {
  /** The name that the resource gives it, or the resource's own, if that is an expression. */
  readonly name: string;
  readonly kind: 'acl' | 'sentinel';
  /** With expressions of Terraform, as `${var.team}`. */
  readonly text: string;
  /** Whether Terraform fills in its expressions. It does not in what `file()` reads. */
  readonly isTemplate: boolean;
  /** The file that contains the text. */
  readonly file: string;
  /** Where a line and column of the text are in that file. Absent if the text is all of it. */
  readonly at?: (position: TextPosition) => TextPosition;
}

export const TERRAFORM_EXTENSIONS: readonly string[] = ['.tf', '.tofu'];

/** The beginning of a policy. */
const BEGINNING = /^path\s*(?:=\s*)?"/;
const READING = ['file', 'templatefile'];

/**
 * Finds the policies of a Terraform file: the documents of policy resources, as heredoc, text or
 * file; the rules of `vault_policy_document`; and other heredocs with the text of an ACL policy,
 * such as local values.
 */
export function terraformPolicies(file: string): readonly TerraformPolicy[] {
  const strings = terraformStrings(readTextFile(file));
  const names = namesByBlock(strings);
  const found = strings.flatMap((each): readonly TerraformPolicy[] => {
    const kind = kindOf(each);
    if (kind === undefined) return [];
    const name = nameOf(each, names);
    if (each.call === undefined)
      return [{ name, kind, text: each.text, isTemplate: true, file, at: each.at }];
    const read = READING.includes(each.call) ? fileOf(each.text, dirname(file)) : undefined;
    const isTemplate = each.call !== 'file' || !each.isFirstCall;
    return read === undefined ? [] : [{ name, kind, text: readTextFile(read), isTemplate, file: read }];
  });
  return [...found, ...documents(file, strings)];
}

function kindOf({
  text,
  blocks,
  argument,
  call,
  isFirst,
}: TerraformString): TerraformPolicy['kind'] | undefined {
  const [word, type = ''] = blocks[0]?.words ?? [];
  const ofResource = word === 'resource' && Object.hasOwn(POLICY_RESOURCE_TYPES, type);
  const isPolicy = isFirst || READING.includes(call ?? '');
  if (ofResource && argument === 'policy' && blocks.length === 1 && isPolicy) {
    return POLICY_RESOURCE_TYPES[type] === 'acl' ? 'acl' : 'sentinel';
  }
  return call === undefined && text.includes('{') && BEGINNING.test(beginningOf(text)) ? 'acl' : undefined;
}

/** The first string of each block that its argument `name` contains. */
function namesByBlock(
  strings: readonly TerraformString[],
): ReadonlyMap<TerraformBlock | undefined, TerraformString> {
  const named = strings.filter(({ argument }) => argument === 'name');
  return new Map(named.reverse().map((each) => [each.blocks.at(-1), each]));
}

/** The name of a policy: that of its resource, or of the argument that it is the value of. */
function nameOf(
  { blocks, argument }: TerraformString,
  names: ReadonlyMap<TerraformBlock | undefined, TerraformString>,
): string {
  const own = names.get(blocks.at(-1));
  const isLiteral = own !== undefined && blocks.length > 0 && !/[$%]\{/.test(own.text);
  if (isLiteral) return own.text.toLowerCase();
  const label = blocks.at(-1)?.words.at(-1);
  return (argument === 'policy' || argument === '' ? label : argument) ?? 'policy';
}

function fileOf(path: string, folder: string): string | undefined {
  const found = path.replace(/^\$\{path\.(module|root|cwd)\}/, '.');
  const file = join(folder, found);
  return !found.includes('${') && !found.startsWith('/') && existsSync(file) ? file : undefined;
}

/** Returns the policies of `data "vault_policy_document"` blocks whose values are literal. */
function documents(file: string, strings: readonly TerraformString[]): readonly TerraformPolicy[] {
  const byDocument = new Map<TerraformBlock, Map<TerraformBlock, TerraformString[]>>();
  for (const each of strings) {
    const [document, rule] = each.blocks;
    if (document?.words[1] !== 'vault_policy_document' || rule?.words[0] !== 'rule') continue;
    if (each.blocks.length > 2) continue;
    const rules = byDocument.get(document) ?? new Map<TerraformBlock, TerraformString[]>();
    byDocument.set(document, rules);
    const values = rules.get(rule) ?? [];
    rules.set(rule, values);
    values.push(each);
  }
  return Array.from(byDocument, ([{ words }, rules]) => {
    const lines = [...rules.values()].flatMap(ruleLine);
    return {
      name: words.at(-1) ?? 'policy',
      kind: 'acl' as const,
      text: lines.map(({ text }) => text).join(''),
      isTemplate: true,
      file,
      at: ({ line, column }: TextPosition) => lines[line - 1]?.at ?? { line, column },
    };
  });
}

function ruleLine(
  values: readonly TerraformString[],
): readonly { readonly text: string; readonly at: TextPosition }[] {
  const path = values.find(({ argument }) => argument === 'path');
  if (!path) return [];
  const capabilities = values.filter(({ argument }) => argument === 'capabilities').map(({ text }) => text);
  // A list that is an expression stays one.
  const list = capabilities.length > 0 ? JSON.stringify(capabilities) : '${capabilities}';
  const text = `path ${JSON.stringify(path.text)} { capabilities = ${list} }\n`;
  return [{ text, at: path.at({ line: 1, column: 1 }) }];
}
