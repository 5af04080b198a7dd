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

/** Sets the filter that is applied to every text before it is printed. */
export function filterOutput(hide: Filter): void {
  filter = hide;
}

/** Applies the filter to a text that is converted before it is printed. */
export function hidden(text: string): string {
  return filter(text);
}

/**
 * The maximum length in characters. Longer texts are not meant for people, but come from a
 * malicious server.
 */
const LONGEST_LINE = 16_384;

/** Writes lines. Each stays one line, whatever the texts in it contain. */
export function printLines(output: Output, lines: readonly string[]): void {
  output.write(lines.map((line) => `${shown(line)}\n`).join(''));
}

/** The minimum width for wrapping. Narrower terminals break lines themselves. */
const NARROWEST = 20;

/** Writes lines as {@link printLines} does. On a terminal, long lines are broken between words. */
export function printWrapped(output: Output, lines: readonly string[]): void {
  const { isTTY = false, columns = 0 } = output;
  const width = isTTY && columns >= NARROWEST ? columns : Infinity;
  output.write(lines.flatMap((line) => wrapped(shown(line), width).map((part) => `${part}\n`)).join(''));
}

/**
 * Breaks a line into parts. The parts after the first are indented further, so that no text can
 * pass for another line. Words are never broken.
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

/** The beginning of every error message: the name of the command. */
export const ERROR_PREFIX = 'vault-admin: ';

/**
 * Writes why the command ends, to the standard error output. Line breaks in the message are kept.
 */
export function printError(message: string): void {
  printLines(process.stderr, `${ERROR_PREFIX}${message}`.split('\n'));
}

/**
 * Writes JSON: in one line for programs; on a terminal, indented for people.
 *
 * @param isSeries whether more JSON follows, each value in one line.
 */
export function printJson<T extends object>(output: Output, value: T, isSeries = false): void {
  const text = JSON.stringify(
    value,
    (_name, member: unknown) => (typeof member === 'string' ? filter(member) : member),
    output.isTTY && !isSeries ? 2 : undefined,
  );
  output.write(`${text}\n`);
}

/** Writes a text to which {@link hidden} and `visible` were applied already. */
export function printDocument(output: Output, text: string): void {
  output.write(text);
}

/** Writes the content of a file: byte for byte, unless the output is a terminal. */
export function printContent(output: Output, text: string): void {
  output.write(output.isTTY ? text : Buffer.from(text));
}

/** Clears a terminal before new output. Other streams are not cleared. */
export function clearScreen(output: Output): void {
  // The sequence is written as bytes, in which control characters are not escaped.
  if (output.isTTY) output.write(Buffer.from('\u001b[H\u001b[2J\u001b[3J'));
}
