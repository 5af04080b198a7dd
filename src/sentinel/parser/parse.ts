import type { File } from '../ast/nodes';
import { SourceText } from '../source/source-text';
import { StatementParser } from './statements';
import { TokenStream } from './token-stream';

/**
 * Parses a Sentinel text.
 *
 * @param name the file name in positions.
 * @throws SentinelSyntaxError at the first fault.
 */
export function parse(text: string, name: string): File {
  const source = new SourceText(name, text);
  const stream = new TokenStream(source);
  const parser = new StatementParser(stream);
  const imports = parser.imports();
  const params = parser.params();
  const statements = parser.rest();
  return { source, imports, params, statements, comments: stream.comments };
}
