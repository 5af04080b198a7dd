import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { POLICY_RESOURCE_TYPES, type TextPosition } from '../../model';
import { beginningOf } from '../acl-files';
import { readTextFile } from '../text-file';
import { documentsIn } from './documents';
import { terraformParts, type TerraformBlock, type TerraformString } from './strings';

/** A policy that a Terraform file contains, or reads from another file. */
interface TerraformPolicy {
  /** The argument `name` of the resource or, if that is an expression, the resource's own name. */
  readonly name: string;
  readonly kind: 'acl' | 'sentinel';
  /** The text, with expressions of Terraform as `${var.team}`. */
  readonly text: string;
  /** Whether Terraform fills in expressions. It does not in files that `file()` reads. */
  readonly isTemplate: boolean;
  /** The file that contains the text. */
  readonly file: string;
  /**
   * Returns where a line and column of the text are in that file. Absent if the text is the whole
   * file.
   */
  readonly at?: (position: TextPosition) => TextPosition;
  /** The start of a heredoc. The following lines and columns are those of the file. */
  readonly start?: TextPosition | undefined;
}

/** Returns a file that a Terraform file names, and its text. */
type ReadNamed = (path: string) => { readonly file: string; readonly text: string } | undefined;

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
  return policiesInTerraform(readTextFile(file), file, (path) => {
    const found = fileOf(path, dirname(file));
    return found === undefined ? undefined : { file: found, text: readTextFile(found) };
  });
}

/**
 * Finds the policies of a text as {@link terraformPolicies} does.
 *
 * @param read reads the files that it names. Default: they are left out.
 */
export function policiesInTerraform(
  source: string,
  file: string,
  read: ReadNamed = () => undefined,
): readonly TerraformPolicy[] {
  const { strings, references } = terraformParts(source);
  const names = namesByBlock(strings);
  const found = strings.flatMap((each): readonly TerraformPolicy[] => {
    const kind = kindOf(each);
    if (kind === undefined) return [];
    const name = nameOf(each, names);
    const { call, text, at, start, isFirstCall } = each;
    if (call === undefined) return [{ name, kind, text, isTemplate: true, file, at, start }];
    const named = READING.includes(call) ? read(text) : undefined;
    return named ? [{ name, kind, isTemplate: call !== 'file' || !isFirstCall, ...named }] : [];
  });
  const documents = documentsIn(strings).flatMap(({ label, ...document }) => {
    const users = references.filter((each) => each.document === label && isPolicyOf(each));
    const own = users.map((each) => nameOf(each, names));
    return (own.length > 0 ? own : [label]).map((name) => ({
      ...document,
      name,
      kind: 'acl' as const,
      file,
      isTemplate: true,
    }));
  });
  return [...found, ...documents];
}

/** Whether a value is the policy of a resource for policies. */
function isPolicyOf({ blocks, argument }: Pick<TerraformString, 'blocks' | 'argument'>): boolean {
  const [word, type = ''] = blocks[0]?.words ?? [];
  const ofResource = word === 'resource' && Object.hasOwn(POLICY_RESOURCE_TYPES, type);
  return ofResource && argument === 'policy' && blocks.length === 1;
}

function kindOf({
  text,
  blocks,
  argument,
  call,
  isFirst,
}: TerraformString): TerraformPolicy['kind'] | undefined {
  const isPolicy = isFirst || READING.includes(call ?? '');
  if (isPolicyOf({ blocks, argument }) && isPolicy) {
    return POLICY_RESOURCE_TYPES[blocks[0]?.words[1] ?? ''] === 'acl' ? 'acl' : 'sentinel';
  }
  return call === undefined && text.includes('{') && BEGINNING.test(beginningOf(text)) ? 'acl' : undefined;
}

/** Returns the argument `name` of each block; its first string if the value has several. */
function namesByBlock(
  strings: readonly TerraformString[],
): ReadonlyMap<TerraformBlock | undefined, TerraformString> {
  const named = strings.filter(({ argument }) => argument === 'name');
  return new Map(named.reverse().map((each) => [each.blocks.at(-1), each]));
}

/** Returns the name of a policy: the name of its resource, or of the argument whose value it is. */
function nameOf(
  { blocks, argument }: Pick<TerraformString, 'blocks' | 'argument'>,
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
