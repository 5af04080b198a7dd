import { visibleLines } from '../../text/visible';

/** Where a command writes what it found. */
export interface Output {
  write(chunk: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
}

type Filter = (text: string) => string;
let filter: Filter = (text) => text;

/** Has every text go through a filter before anything else is done to it. */
export function filterOutput(hide: Filter): void {
  filter = hide;
}

/** Writes lines. Each is one, whatever the texts in it contain: none can draw a line of its own. */
export function printLines(output: Output, lines: readonly string[]): void {
  output.write(lines.map((line) => `${visibleLines(filter(line)).replaceAll('\n', '\\n')}\n`).join(''));
}

/** Writes why the command ends, to the standard error output. Messages have lines on purpose. */
export function printError(message: string): void {
  printLines(process.stderr, `vault-admin: ${message}`.split('\n'));
}

/** Writes one line of JSON, for programs. */
export function printJson(output: Output, value: object): void {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? filter(member) : member,
  );
  output.write(`${text}\n`);
}

/** Writes the content of a file, byte for byte where no terminal acts on it. */
export function printContent(output: Output, text: string): void {
  output.write(output.isTTY ? text : Buffer.from(text));
}
