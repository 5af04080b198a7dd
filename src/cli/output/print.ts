import { visibleLines } from '../../text/visible';

/** The output of a command. */
export interface Output {
  write(chunk: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
}

type Filter = (text: string) => string;
let filter: Filter = (text) => text;

/** Applies a filter to every text before anything else. */
export function filterOutput(hide: Filter): void {
  filter = hide;
}

/** In characters. Longer texts are not meant for people, but come from a malicious server. */
const LONGEST_LINE = 16_384;

/** Writes lines. Each stays one line, whatever the texts in it contain. */
export function printLines(output: Output, lines: readonly string[]): void {
  output.write(lines.map((line) => `${shown(line)}\n`).join(''));
}

function shown(line: string): string {
  const hidden = filter(line);
  const rest = hidden.length - LONGEST_LINE;
  const cut = rest > 0 ? `${hidden.slice(0, LONGEST_LINE)}… (${rest} more characters)` : hidden;
  return visibleLines(cut).replaceAll('\n', '\\n');
}

/** Writes why the command ends, to the standard error output. Messages have lines on purpose. */
export function printError(message: string): void {
  printLines(process.stderr, `vault-admin: ${message}`.split('\n'));
}

/** Writes one line of JSON, for programs. */
export function printJson<T extends object>(output: Output, value: T): void {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? filter(member) : member,
  );
  output.write(`${text}\n`);
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
