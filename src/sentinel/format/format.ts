import type { File } from '../ast/nodes';
import { parse } from '../parser/parse';
import { scan } from '../scanner/scanner';
import type { Comment, SentinelToken } from '../scanner/tokens';
import type { SourceText } from '../source/source-text';
import { align, type FormattedLine } from './align';
import { Indents } from './indents';
import { needsSpace, PunctuationRoles } from './spacing';

type Item = SentinelToken | (Comment & { readonly kind: 'comment' });

const EMPTY: FormattedLine = { indent: 0, code: '', value: undefined, comment: undefined };

/**
 * Writes a text in the canonical layout: tabs, one space around operators, values of maps and
 * comments at the ends of lines aligned. Comments and the author's line breaks stay.
 *
 * @throws SentinelSyntaxError for a text that does not parse.
 */
export function format(text: string, name: string): string {
  const lines = linesOf(parse(text, name));
  return lines.length === 0 ? '' : `${align(lines).join('\n')}\n`;
}

function linesOf(file: File): readonly FormattedLine[] {
  const { source } = file;
  const tokens = scan(source).tokens.filter(
    ({ kind, text }) => kind !== 'end' && !(kind === 'semicolon' && text === '\n'),
  );
  const roles = new PunctuationRoles(file);
  const indents = new Indents(file, tokens);
  const lines: FormattedLine[] = [];
  let lastLine = 0;
  for (const group of groupByLine(source, itemsOf(file, tokens, roles))) {
    const { start } = group[0];
    if (lastLine > 0 && source.line(start) > lastLine + 1) lines.push(EMPTY);
    lines.push(lineOf(group, indents.at(start), roles));
    lastLine = source.line(group.at(-1)?.end ?? start);
  }
  return lines;
}

/** Returns tokens and comments in the order of the text. */
function itemsOf(
  { source, comments }: File,
  tokens: readonly SentinelToken[],
  roles: PunctuationRoles,
): readonly Item[] {
  const items = [
    ...tokens.map((token, index) => withComma(source, token, tokens[index + 1], roles)).flat(),
    ...comments.map((comment): Item => ({ ...comment, kind: 'comment' })),
  ];
  return items.sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * Returns a token, with a comma if it is the last element before a line that closes a list, a map
 * or arguments.
 */
function withComma(
  source: SourceText,
  token: SentinelToken,
  next: SentinelToken | undefined,
  roles: PunctuationRoles,
): readonly Item[] {
  if (!next || !roles.isSequenceCloser(next.start) || source.line(token.end) === source.line(next.start))
    return [token];
  if (token.kind === 'operator' && [',', '(', '[', '{'].includes(token.text)) return [token];
  return [token, { kind: 'operator', text: ',', start: token.end, end: token.end }];
}

/** Returns the items of each line. */
function groupByLine(source: SourceText, items: readonly Item[]): readonly (readonly [Item, ...Item[]])[] {
  const groups: [Item, ...Item[]][] = [];
  let last = 0;
  for (const item of items) {
    const group = groups.at(-1);
    if (group && source.line(item.start) === last) group.push(item);
    else groups.push([item]);
    last = source.line(item.end);
  }
  return groups;
}

function lineOf(group: readonly [Item, ...Item[]], indent: number, roles: PunctuationRoles): FormattedLine {
  const last = group.at(-1);
  const comment = last?.kind === 'comment' && group.length > 1 ? last.text : undefined;
  const items = comment === undefined ? group : group.slice(0, -1);
  let code = '';
  let value: number | undefined;
  let before: Item | undefined;
  for (const item of items) {
    if (before && spaceBetween(before, item, roles)) code += isCaseWithoutSubject(before, item) ? '  ' : ' ';
    if (before && value === undefined && isEntryColon(before, roles)) value = code.length;
    code += item.kind === 'comment' ? commentText(item.text, indent) : item.text;
    before = item;
  }
  const isEntry = items[0]?.kind !== 'operator' && before?.text === ',' && isBalanced(items);
  return { indent, code, value: isEntry ? value : undefined, comment };
}

/** Whether an item is the opening brace of a `case` without a subject. */
function isCaseWithoutSubject(before: Item, item: Item): boolean {
  return before.kind === 'keyword' && before.text === 'case' && item.text === '{';
}

function isEntryColon(item: Item, roles: PunctuationRoles): boolean {
  return item.kind === 'operator' && item.text === ':' && roles.isEntryColon(item.start);
}

/** Whether every bracket that a line opens is closed in the same line. */
function isBalanced(items: readonly Item[]): boolean {
  let depth = 0;
  for (const { kind, text } of items) {
    if (kind !== 'operator') continue;
    if ('([{'.includes(text)) depth++;
    if (')]}'.includes(text)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function spaceBetween(before: Item, item: Item, roles: PunctuationRoles): boolean {
  if (before.kind === 'comment' || item.kind === 'comment') return true;
  return needsSpace(before, item, roles);
}

/**
 * Returns the text of a comment. If each of its lines starts with a star, they are indented with
 * it; other comments keep their indentation.
 */
function commentText(text: string, indent: number): string {
  if (!text.includes('\n')) return text;
  const [first = '', ...others] = text.split('\n').map((line) => line.trimEnd());
  if (!others.every((line) => /^\s*\*/.test(line))) return [first, ...others].join('\n');
  return [first, ...others.map((line) => `${'\t'.repeat(indent)} ${line.trimStart()}`)].join('\n');
}
