import { latePattern } from './late-pattern';

/**
 * Matches control and format characters, line and paragraph separators, lone surrogates, and
 * characters without a width of their own, such as fillers and variation selectors. A terminal or
 * log viewer acts on them, or shows nothing.
 */
const CHARACTER = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]`;
const invisible = latePattern(CHARACTER, 'gu');
const invisibleInLines = latePattern(String.raw`(?![\n\t])${CHARACTER}`, 'gu');

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Shows control characters as escapes, such as `\u001b`, in a text of one line: nothing in it can
 * move the cursor, change colors, reorder other text or draw a line of its own. For every text from
 * a server, a file or the environment that is shown to a person.
 */
export function visible(text: string): string {
  return text.replace(invisible(), escapeOf);
}

/** Like {@link visible}, for text with intended lines: line breaks and tabs are kept. */
export function visibleLines(text: string): string {
  return text.replace(invisibleInLines(), escapeOf);
}

function escapeOf(character: string): string {
  const short = SHORT[character];
  if (short) return short;
  // The escapes are those of JSON, so that JSON remains valid and keeps its meaning.
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
