import { visibleLines } from '../../text/visible';

/** What the command line itself sends: its colours, and how a line of progress is cleared. */
// eslint-disable-next-line no-control-regex -- these are the sequences that may act on the terminal
const OWN_SEQUENCES = /(\r?\u001b\[K|\u001b\[(?:1|2|22|31|32|33|39)m)/;

/**
 * Shows control characters in everything that is written to a stream, apart from the sequences of the command line
 * itself: no text of a server, a file or the environment can act on the terminal.
 */
export function showControlCharacters(stream: Pick<NodeJS.WriteStream, 'write'>): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...rest: never[]) =>
    write(typeof chunk === 'string' ? shown(chunk) : chunk, ...rest);
}

function shown(text: string): string {
  return text
    .split(OWN_SEQUENCES)
    .map((part, index) => (index % 2 === 1 ? part : visibleLines(part)))
    .join('');
}
