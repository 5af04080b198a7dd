import { visibleLines } from '../../text/visible';
import { applyMarks } from './style';

/**
 * Shows control characters in everything that is written to a stream: no text of a server, a file or the environment can
 * act on the terminal. The styles of the command line itself are put in here. Bytes go through.
 */
export function showControlCharacters(stream: Pick<NodeJS.WriteStream, 'write'>): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...rest: never[]) =>
    write(typeof chunk === 'string' ? applyMarks(visibleLines(chunk)) : chunk, ...rest);
}
