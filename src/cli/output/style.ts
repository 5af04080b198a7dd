import { randomBytes } from 'node:crypto';
import { visibleLines } from '../../text/visible';

/** A random text, so that no text of a server or file contains a mark. */
const KEY = randomBytes(9).toString('base64url');
const MARK = new RegExp(`<${KEY}:(\\d+)>`, 'g');

/** Puts marks around a text, where its style begins and ends. */
function marked(text: string, begin: number, end: number): string {
  return `<${KEY}:${begin}>${text}<${KEY}:${end}>`;
}

/** Replaces marks with the sequences that terminals act on. */
function applyMarks(text: string): string {
  return text.replace(MARK, '\u001b[$1m');
}

/** Returns a text without marks, so that its length is that on the terminal. */
export function withoutMarks(text: string): string {
  return text.replace(MARK, '');
}

/** The styles of text on a terminal. */
export interface Style {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const PLAIN: Style = {
  good: (text) => text,
  bad: (text) => text,
  doubtful: (text) => text,
  strong: (text) => text,
  faint: (text) => text,
};

/** The styles, with the numbers of ECMA-48 for their beginning and end. */
const COLORED: Style = {
  good: (text) => marked(text, 32, 39),
  bad: (text) => marked(text, 31, 39),
  doubtful: (text) => marked(text, 33, 39),
  strong: (text) => marked(text, 1, 22),
  faint: (text) => marked(text, 2, 22),
};

/**
 * Returns colors on a terminal only, and none if `NO_COLOR` is set (https://no-color.org).
 * `FORCE_COLOR` enables them elsewhere, such as in the logs of pipelines.
 */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  if (env.NO_COLOR) return PLAIN;
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? PLAIN : COLORED;
  return stream.isTTY === true && env.TERM !== 'dumb' ? COLORED : PLAIN;
}

/**
 * Shows control characters in every text that is written to a stream, so that no text of a server,
 * a file or the environment can act on the terminal. The marks of the command line's own styles are
 * replaced here. Bytes are written unchanged.
 */
export function showControlCharacters(stream: Pick<NodeJS.WriteStream, 'write'>): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...rest: never[]) =>
    write(typeof chunk === 'string' ? applyMarks(visibleLines(chunk)) : chunk, ...rest);
}
