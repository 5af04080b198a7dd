import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { reasonOf } from '../../../files';
import { visible } from '../../../text';
import { UserError } from '../../errors';

const NEWLINE = 0x0a;
/** The maximum size of a line in bytes. Entries with the content of large requests may be long. */
const LONGEST_LINE = 64 * 2 ** 20;

/**
 * Reads the lines of a file. The lines of each chunk are yielded together, so that memory does not
 * grow with the file. An empty line is yielded in place of one that is too long.
 *
 * @param file `-` for standard input. Files that end with `.gz` are unpacked.
 * @throws UserError if it cannot be read.
 */
export async function* linesOf(file: string): AsyncGenerator<readonly string[]> {
  let rest: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunksOf(file)) {
      const lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const last = chunk.subarray(start, end);
        lines.push(length + last.length > LONGEST_LINE ? '' : textOf([...rest, last]));
        rest = [];
        length = 0;
        start = end + 1;
      }
      length += chunk.length - start;
      if (length > LONGEST_LINE) rest = [];
      else if (start < chunk.length) rest.push(chunk.subarray(start));
      if (lines.length > 0) yield lines;
    }
  } catch (error) {
    throw new UserError(visible(`${file} cannot be read: ${reasonOf(error as Error)}`));
  }
  if (length > 0) yield [length > LONGEST_LINE ? '' : textOf(rest)];
}

function textOf([only, ...others]: readonly Buffer[]): string {
  if (!only) return '';
  return (others.length === 0 ? only : Buffer.concat([only, ...others])).toString('utf8');
}

function chunksOf(file: string): AsyncIterable<Buffer> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 2 ** 18 });
  if (!file.endsWith('.gz')) return input;
  const unpacked = createGunzip();
  input.on('error', (error: Error) => unpacked.destroy(error));
  return input.pipe(unpacked);
}
