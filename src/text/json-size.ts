/**
 * The maximum length in characters. Reading a longer integer takes time that grows with the square
 * of its length.
 */
export const LONGEST_NUMBER = 1_000;

/**
 * The maximum nesting of JSON from others: recursive code would overflow the stack on deeper
 * values.
 */
const MOST_LEVELS = 1_000;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses JSON from others. A byte order mark, which programs for Windows write first, is ignored.
 *
 * @param revive as for `JSON.parse`.
 * @throws SyntaxError if it is not valid, or nested deeper than 1,000 levels.
 */
export function parseForeignJson(text: string, revive?: (name: string, value: unknown) => unknown): unknown {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  // Valid JSON closes each bracket, so a shorter text is not nested deeper.
  if (json.length > 2 * MOST_LEVELS && isNestedDeeper(json, MOST_LEVELS)) {
    throw new SyntaxError(`it is nested deeper than ${MOST_LEVELS} levels`);
  }
  return JSON.parse(json, revive);
}

/**
 * Whether brackets nest deeper than a limit. Brackets in quoted texts do not count, and the text
 * need not be valid JSON.
 */
export function isNestedDeeper(text: string, depth: number): boolean {
  return excessOf(text, { depth, entries: Infinity }) === 'depth';
}

/**
 * Returns the limit that a text exceeds, before it is parsed: the depth of brackets, or the number
 * of entries within one bracket.
 */
export function excessOf(
  text: string,
  most: { readonly depth: number; readonly entries: number },
): 'depth' | 'entries' | undefined {
  /** The number of commas in each open bracket. */
  const commas: number[] = [];
  // A regular expression for quoted texts would overflow the stack on long ones.
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      at = endOfText(text, at);
    } else if (character === '[' || character === '{') {
      if (commas.push(0) > most.depth) return 'depth';
    } else if (character === ']' || character === '}') {
      commas.pop();
    } else if (character === ',' && commas.length > 0) {
      commas[commas.length - 1]!++;
      if (commas[commas.length - 1]! >= most.entries) return 'entries';
    }
  }
  return undefined;
}

/** Returns the index at which a quoted text ends. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charAt(end - 1 - backslashes) === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
