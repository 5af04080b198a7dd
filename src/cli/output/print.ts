import { visible } from '../../text/visible';
import { withoutMarks } from './style';

/** The output of a command. */
export interface Output {
  write(chunk: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  /** The width of a terminal. */
  readonly columns?: number;
}

type Filter = (text: string) => string;
let filter: Filter = (text) => text;

/** Applies a filter to every text before anything else. */
export function filterOutput(hide: Filter): void {
  filter = hide;
}

/** Applies the filter to a text that is not printed as it is. */
export function hidden(text: string): string {
  return filter(text);
}

/** In characters. Longer texts are not meant for people, but come from a malicious server. */
const LONGEST_LINE = 16_384;

/** Writes lines. Each stays one line, whatever the texts in it contain. */
export function printLines(output: Output, lines: readonly string[]): void {
  output.write(lines.map((line) => `${shown(line)}\n`).join(''));
}

/** Narrower terminals break lines themselves. */
const NARROWEST = 20;

/** Writes lines as {@link printLines} does. On a terminal, long ones are broken between words. */
export function printWrapped(output: Output, lines: readonly string[]): void {
  const { isTTY = false, columns = 0 } = output;
  const width = isTTY && columns >= NARROWEST ? columns : Infinity;
  output.write(lines.flatMap((line) => wrapped(shown(line), width).map((part) => `${part}\n`)).join(''));
}

/**
 * The parts after the first one are indented further, so that no text can pass for another line.
 * Words are never broken.
 */
function wrapped(line: string, width: number): readonly string[] {
  if (withoutMarks(line).length <= width) return [line];
  const [, own = ''] = /^( *)/.exec(withoutMarks(line)) ?? [];
  const indent = own.length + 2 < width / 2 ? `${own}  ` : '  ';
  const parts: string[] = [];
  let part = '';
  for (const word of line.match(/(?<! ) *[^ ]+/g) ?? []) {
    if (part !== '' && withoutMarks(part + word).length > width) {
      parts.push(part);
      part = indent + word.trimStart();
    } else part += word;
  }
  return [...parts, part];
}

function shown(line: string): string {
  const hidden = filter(line);
  const rest = hidden.length - LONGEST_LINE;
  const cut = rest > 0 ? `${hidden.slice(0, LONGEST_LINE)}… (${rest} more characters)` : hidden;
  return visible(cut);
}

/** How messages begin: with the name of the command. */
export const ERROR_PREFIX = 'vault-admin: ';

/** Writes why the command ends, to the standard error output. Messages have lines on purpose. */
export function printError(message: string): void {
  printLines(process.stderr, `${ERROR_PREFIX}${message}`.split('\n'));
}

/**
 * Writes JSON: one line for programs; on a terminal, indented for people.
 *
 * @param isSeries whether more JSON follows, each of it in one line.
 */
export function printJson<T extends object>(output: Output, value: T, isSeries = false): void {
  const text = JSON.stringify(
    value,
    (_name, member: unknown) => (typeof member === 'string' ? filter(member) : member),
    output.isTTY && !isSeries ? 2 : undefined,
  );
  output.write(`${text}\n`);
}

/** Writes a text that {@link hidden} and `visible` were applied to. */
export function printDocument(output: Output, text: string): void {
  output.write(text);
}

/** Writes the content of a file, byte for byte where no terminal acts on it. */
export function printContent(output: Output, text: string): void {
  output.write(output.isTTY ? text : Buffer.from(text));
}

/** Clears a terminal before new output. Other streams are not cleared. */
export function clearScreen(output: Output): void {
  // As bytes, which go through to the terminal as they are.
  if (output.isTTY) output.write(Buffer.from('\u001b[H\u001b[2J\u001b[3J'));
}
