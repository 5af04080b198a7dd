import { isUtf8 } from 'node:buffer';
import { closeSync, openSync } from 'node:fs';
import { inWords, readToEnd } from '../files';

/** The maximum size in bytes. Servers accept no larger requests, and policies are much smaller. */
const LONGEST = 32 * 1024 * 1024;
const STANDARD_INPUT = 0;

/**
 * Reads a file that the user named, which may be a pipe such as `<(git show main:ops.hcl)`.
 *
 * @param longest in bytes.
 * @throws Error if it cannot be read, is longer, as devices without an end are, or is not in
 *   UTF-8: bytes that cannot be decoded would change the text.
 */
export function readTextFile(path: string, longest = LONGEST): string {
  return textOf(readBytes(path, longest));
}

/**
 * Reads the standard input to its end.
 *
 * @throws Error as {@link readTextFile}
 */
export function readStandardInput(longest = LONGEST): string {
  return textOf(readToEnd(STANDARD_INPUT, longest));
}

/**
 * Reads the bytes of a file, in any encoding.
 *
 * @throws Error if it cannot be read, or has more than 32 MiB.
 */
export function readBytes(path: string, longest = LONGEST): Buffer {
  return inWords(() => {
    const descriptor = openSync(path, 'r');
    try {
      return readToEnd(descriptor, longest);
    } finally {
      closeSync(descriptor);
    }
  });
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    const isUtf16 = /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2));
    throw new Error(
      isUtf16
        ? 'it is UTF-16 text, and UTF-8 is required (in PowerShell: | Out-File -Encoding utf8)'
        : 'the file is not UTF-8 text',
    );
  }
  return bytes.toString('utf8');
}
