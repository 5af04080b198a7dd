import { EXIT } from '../exit-codes';

/**
 * Lets a command end as it would have when the reader of its output has gone, as in `vault-admin status | head -1`. Other
 * failures to write, such as a full disk, are told in words.
 */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      console.error(`vault-admin: the output could not be written: ${error.message}`);
      process.exit(EXIT.unknown);
    });
  }
}
