import { MarkupKind, type Hover } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  AclPolicyError,
  AclPolicySet,
  Effort,
  isRootPath,
  parseAclPolicy,
  patternOf,
  TooComplexError,
  type AclMergedRule,
} from '../model';
import { overlap } from '../model/acl/reasoning/pattern';
import { typeOfShape, Words } from '../sentinel';
import { visible } from '../text';
import { AclText, type QuotedText } from './acl-tokens';
import { endpointsOn, operationsText } from './endpoints';
import { policyAt } from './policy-document';
import { fieldsOf, nameBefore, shapeOf } from './sentinel-names';

/** The longest list in a hover. */
const MOST_LISTED = 10;
/** The maximum length in characters. */
const LONGEST_NAME = 100;
/** The effect of each capability. */
const MEANINGS: Readonly<Record<string, string>> = {
  deny: 'refuses every request, whatever other rules and policies grant',
  create: 'permits writes to a path that does not exist yet',
  read: 'permits reads',
  update: 'permits writes, and most requests that do something',
  delete: 'permits deletions',
  list: 'permits lists',
  sudo: 'permits root-protected paths, together with the capability of the operation',
  patch: 'permits partial updates',
  subscribe: 'permits subscriptions to events',
  recover: 'permits the recovery from a loaded snapshot',
};

/** Returns what is known about the place at an offset of a document. */
export function hoverAt(document: TextDocument, offset: number): Hover | undefined {
  const found = policyAt(document, offset);
  if (!found) return undefined;
  const { language, document: policy, around } = found.policy;
  const shown = language === 'acl' ? aclHover(policy, found.offset) : sentinelHover(policy, found.offset);
  return shown?.range && { ...shown, range: around(shown.range) };
}

function aclHover(document: TextDocument, offset: number): Hover | undefined {
  const text = document.getText();
  const acl = new AclText(text);
  const rule = acl.ruleAt(offset);
  if (!rule) return undefined;
  const { path, capabilities } = rule;
  if (isAt(path, offset)) {
    const paths = acl.rules.map((each) => each.path.value);
    return hover(document, path, [...endpointLines(path.value, paths), ...decisionLines(text, path.value)]);
  }
  const capability = capabilities?.elements.find((each) => isAt(each, offset));
  const meaning = capability && MEANINGS[capability.value];
  return meaning === undefined
    ? undefined
    : hover(document, capability!, [`${code(capability!.value)} ${meaning}.`]);
}

function isAt({ start, end }: QuotedText, offset: number): boolean {
  return start - 1 <= offset && offset <= end + 1;
}

function endpointLines(path: string, paths: readonly string[]): readonly string[] {
  const endpoints = endpointsOn(path, paths);
  const lines = endpoints
    .slice(0, MOST_LISTED)
    .map(({ path: full, capabilities, description }) =>
      [`- ${code(full)}: ${operationsText(capabilities)}`, description].filter(Boolean).join('. '),
    );
  if (lines.length === 0) return [];
  const more = endpoints.length - lines.length;
  const sudo = isRootPath(path, Effort.for([{ names: [], characters: path.length }]));
  return [
    'Endpoints, and the capability that each operation needs:',
    [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
    ...(sudo ? ['All requests for the path also need "sudo".'] : []),
  ];
}

/**
 * Returns two lists about shared paths: the rules of the policy that decide in place of this rule,
 * and those in place of which this rule decides.
 */
function decisionLines(text: string, path: string): readonly string[] {
  try {
    const set = new AclPolicySet([{ name: 'policy', policy: parseAclPolicy(text) }]);
    const effort = Effort.for([set]);
    const clauses = set.clauses('path', effort);
    const own = clauses.findIndex(({ rule }) => rule.path === path);
    if (own < 0) return [];
    const pattern = patternOf(path);
    const sharing = (parts: typeof clauses) =>
      parts.filter((each) => overlap(each.pattern, pattern, effort)).map(({ rule }) => rule);
    const [before, after] = [sharing(clauses.slice(0, own)), sharing(clauses.slice(own + 1))];
    return [
      ...ruleList('Other rules of this policy decide on a part of the paths:', before),
      ...ruleList('This rule decides on a part of the paths of:', after),
    ];
  } catch (error) {
    if (error instanceof AclPolicyError || error instanceof TooComplexError) return [];
    throw error;
  }
}

function ruleList(title: string, rules: readonly AclMergedRule[]): readonly string[] {
  if (rules.length === 0) return [];
  const lines = rules.slice(0, MOST_LISTED).map(({ path }) => `- ${code(path)}`);
  const more = rules.length - lines.length;
  return [title, [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')];
}

function sentinelHover(document: TextDocument, offset: number): Hover | undefined {
  const text = document.getText();
  const before = nameBefore(text, offset);
  const start = offset - before.length;
  const name = before + /^\w*/.exec(text.slice(offset, offset + LONGEST_NAME))![0];
  const shape = shapeOf(name);
  const fields = fieldsOf(name, text);
  const place = { start: start + 1, end: start + name.length - 1, value: name };
  if (fields.length > 0) return hover(document, place, [`${code(name)} has ${fields.map(code).join(', ')}.`]);
  const type = typeOfShape(shape);
  if (type === undefined) return undefined;
  const words = shape instanceof Words ? `: ${shape.words.map(code).join(', ')}` : '';
  return hover(document, place, [`${code(name)} is ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}${words}.`]);
}

function hover(
  document: TextDocument,
  { start, end }: QuotedText,
  parts: readonly string[],
): Hover | undefined {
  if (parts.length === 0) return undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') },
    range: { start: document.positionAt(start - 1), end: document.positionAt(end + 1) },
  };
}

/** Returns a text as code in Markdown, whatever is in it. */
function code(text: string): string {
  const shown = visible(text);
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  if (longest === 0) return `\`${shown}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${shown} ${fence}`;
}
