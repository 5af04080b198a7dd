import { latePattern } from '../../text';

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};
const printable = latePattern(String.raw`[\p{L}\p{M}\p{N}\p{P}\p{S} ]`, 'u');
/**
 * Matches a text without characters to escape. This is a fast path: nearly all names are such
 * texts, and they are quoted even if no message is needed.
 */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Returns a text in double quotes like Go's `%q`, which the server uses for names in its messages.
 */
export function goQuote(text: string): string {
  return `"${PLAIN.test(text) ? text : Array.from(text, goEscape).join('')}"`;
}

function goEscape(char: string): string {
  const escape = ESCAPES[char];
  if (escape !== undefined) return escape;
  if (printable().test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
