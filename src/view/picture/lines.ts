import type { Line, Tone } from './picture';

/**
 * The maximum width in characters: two such boxes fit beside each other on a page, and one on a
 * phone.
 */
const WIDEST = 40;

/** The maximum number of lines. Longer texts, such as a server's error, are cut off. */
const MOST_LINES = 4;

/**
 * Breaks a text into lines, at spaces where possible.
 *
 * @param mostLines the maximum number of lines.
 */
export function wrapped(
  text: string,
  { tone = 'plain', mostLines = MOST_LINES }: { readonly tone?: Tone; readonly mostLines?: number } = {},
): readonly Line[] {
  const lines: string[] = [''];
  for (const word of text.split(' ').flatMap(pieces)) {
    const last = lines.at(-1)!;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= WIDEST) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines - 1), '…'] : lines;
  return shown.map((line) => ({ text: line, tone }));
}

/** Splits a word that is too long for a line between characters. */
function pieces(word: string): readonly string[] {
  const characters = [...word];
  if (characters.length <= WIDEST) return [word];
  const count = Math.ceil(characters.length / WIDEST);
  return Array.from({ length: count }, (_, i) => characters.slice(i * WIDEST, (i + 1) * WIDEST).join(''));
}
