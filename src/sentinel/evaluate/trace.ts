import type { File } from '../ast/nodes';
import type { Comment } from '../scanner/tokens';
import { countBelow, type SourceText } from '../source/source-text';
import { toHost } from '../values/host';
import { showTraced } from '../values/show';
import type { Outcome, TracedRule } from './evaluate';

/** The maximum length of the output and of the rules in a trace. */
const LONGEST_PART = 100_000;

/** Returns the output and the evaluated rules of a policy, for people. Long traces are cut. */
export function renderTrace({ printed, rules, file }: Outcome): string {
  const lines: string[] = [];
  if (printed.length > 0) {
    const output = cutText(printed.join('\n'));
    lines.push('logs:', ...output.split('\n').map((line) => `  ${line}`), '');
  }
  if (rules.length > 0) {
    const texts = sortedRules(rules).map((rule) => renderRule(rule, file).join('\n'));
    lines.push('trace:', ...cutList(texts, 'rule'));
  }
  return lines.join('\n');
}

/** A rule of a trace as data. */
export interface ReportedRule {
  readonly name: string;
  /** The comment above it. */
  readonly description: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly value: unknown;
}

/** Returns the evaluated rules of a policy, in the order of its trace. */
export function reportTrace({ rules, file }: Outcome): readonly ReportedRule[] {
  return sortedRules(rules).map(({ name, source, span, value }) => {
    const { file: place, line, column } = source.position(span.start);
    const description = docComment(file, span.start) ?? null;
    return { name, description, file: place, line, column, value: toHost(value) };
  });
}

/** Returns the beginning of a text, and how much of it is missing. */
export function cutText(text: string): string {
  const missing = text.length - LONGEST_PART;
  return missing <= 0 ? text : `${text.slice(0, LONGEST_PART)}…\n(${missing} more characters)`;
}

/** Returns the first texts of a list, and how many are missing. */
export function cutList(texts: readonly string[], noun: string): readonly string[] {
  let length = 0;
  const shown = texts.filter((text) => (length += text.length) <= LONGEST_PART);
  const missing = texts.length - shown.length;
  return missing === 0 ? texts : [...shown, `(${missing} more ${noun}${missing === 1 ? '' : 's'})`];
}

/** Returns `main` first, then the other rules by name. */
export function sortedRules(rules: readonly TracedRule[]): readonly TracedRule[] {
  const order = ({ name }: TracedRule): string => (name === 'main' ? '' : name);
  return [...rules].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function renderRule({ name, source, span, value }: TracedRule, file: File): readonly string[] {
  const description = docComment(file, span.start);
  return [
    `  ${source.place(span.start)} - Rule "${name}"`,
    ...(description === undefined
      ? []
      : ['    Description:', ...description.split('\n').map((line) => `      ${line}`.trimEnd()), '']),
    '    Value:',
    `      ${showTraced(value)}`,
    '',
  ];
}

/** Returns the comment directly above the code at an offset. */
export function docComment({ source, comments }: File, offset: number): string | undefined {
  const above: Comment[] = [];
  let line = source.line(offset);
  for (let at = countBelow(comments, offset + 1, ({ end }) => end) - 1; at >= 0; at--) {
    const comment = comments[at]!;
    if (source.line(comment.end) !== line - 1 || !startsItsLine(source, comment)) break;
    above.push(comment);
    line = source.line(comment.start);
  }
  return above.length === 0 ? undefined : commentText(above.reverse());
}

/** Returns the comment at the top of a file, if an empty line follows it. */
export function fileDescription(file: File): string | undefined {
  const { source, comments } = file;
  const [first] = comments;
  if (!first || source.text.slice(0, first.start).trim() !== '') return undefined;
  const top = [first];
  for (const comment of comments.slice(1)) {
    const last = top.at(-1) ?? first;
    if (source.line(comment.start) !== source.line(last.end) + 1) break;
    top.push(comment);
  }
  const end = source.line((top.at(-1) ?? first).end);
  return source.lineText(end + 1).trim() === '' ? commentText(top) : undefined;
}

function startsItsLine(source: SourceText, { start }: Comment): boolean {
  const { column } = source.position(start);
  return (
    source
      .lineText(source.line(start))
      .slice(0, column - 1)
      .trim() === ''
  );
}

function commentText(comments: readonly Comment[]): string {
  return comments
    .flatMap(({ text }) =>
      text.startsWith('/*')
        ? text
            .slice(2, -2)
            .split('\n')
            .map((line) => line.replace(/^\s*\*? ?/, ''))
        : [text.replace(/^(?:#+|\/\/+) ?/, '')],
    )
    .join('\n')
    .trim();
}
