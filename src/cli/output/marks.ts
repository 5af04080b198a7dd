import { randomBytes } from 'node:crypto';

/** Cannot be guessed, so that texts from elsewhere contain no marks. */
const KEY = randomBytes(9).toString('base64url');
const MARK = new RegExp(`<${KEY}:(\\d+)>`, 'g');

/** Puts marks around a text, where its style begins and ends. */
export function marked(text: string, begin: number, end: number): string {
  return `<${KEY}:${begin}>${text}<${KEY}:${end}>`;
}

/** Replaces marks with the sequences that terminals act on. */
export function applyMarks(text: string): string {
  return text.replace(MARK, '\u001b[$1m');
}
