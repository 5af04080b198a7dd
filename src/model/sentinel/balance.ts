import type { TextPosition } from '../definition/field';

/** Something in a Sentinel document that is opened and never closed, or closed and never opened. */
export interface Imbalance {
  readonly problem: string;
  readonly received: string;
  readonly cure: string;
  readonly position: TextPosition;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A comment, a string, or a bracket; the alternatives that end with `$` are those left open. */
const TOKENS =
  /(?<comment>#.*|\/\/.*|\/\*[^]*?\*\/)|(?<string>"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|`[^`]*`)|(?<open>\/\*|["`])|(?<bracket>[()[\]{}])/g;

/** Checks that the brackets, strings and comments of a Sentinel document close. Gives the first that does not. */
export function findImbalance(text: string): Imbalance | undefined {
  const opened: { bracket: string; index: number }[] = [];
  for (const { groups, index } of text.matchAll(TOKENS)) {
    if (groups?.open !== undefined) return unclosedText(text, index, groups.open);

    const bracket = groups?.bracket;
    if (bracket === undefined) continue;
    if (bracket in CLOSERS) {
      opened.push({ bracket, index });
      continue;
    }
    const partner = opened.pop();
    if (!partner) return unopened(text, index, bracket);
    if (CLOSERS[partner.bracket] !== bracket) return mismatched(text, index, bracket, partner);
  }
  const left = opened.pop();
  return left && unclosed(text, left.index, left.bracket, CLOSERS[left.bracket] ?? '');
}

function unclosedText(text: string, index: number, opener: string): Imbalance {
  if (opener === '/*') return unclosed(text, index, opener, '*/');
  return {
    problem: 'a string is never closed',
    received: opener,
    cure: `close the string with ${opener === '"' ? "'\"' in the same line" : "'`'"}`,
    position: positionAt(text, index),
  };
}

function unclosed(text: string, index: number, opener: string, closer: string): Imbalance {
  return {
    problem: `"${opener}" is never closed`,
    received: opener,
    cure: `add the missing "${closer}"`,
    position: positionAt(text, index),
  };
}

function unopened(text: string, index: number, bracket: string): Imbalance {
  return {
    problem: `"${bracket}" closes nothing`,
    received: bracket,
    cure: `remove it, or add the bracket that it closes`,
    position: positionAt(text, index),
  };
}

function mismatched(
  text: string,
  index: number,
  bracket: string,
  partner: { bracket: string; index: number },
): Imbalance {
  const { line, column } = positionAt(text, partner.index);
  return {
    problem: `"${bracket}" does not close the "${partner.bracket}" of line ${line}, column ${column}`,
    received: bracket,
    cure: `close that one with "${CLOSERS[partner.bracket]}" first`,
    position: positionAt(text, index),
  };
}

function positionAt(text: string, index: number): TextPosition {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
