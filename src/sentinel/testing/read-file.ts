import { readFileSync } from 'node:fs';

/**
 * Reads the text of a file.
 *
 * @throws the error of the file system, or another error for a text that is refused.
 */
export type ReadFile = (path: string) => string;

/** Reads files of any size. Bytes that are not UTF-8 are replaced. */
export const readAnyFile: ReadFile = (path) => readFileSync(path, 'utf8');
