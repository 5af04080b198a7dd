/**
 * A file is not read although it could be opened. The message says why:
 * `it is a folder, not a file`.
 */
export class FileRefusedError extends Error {
  override readonly name = 'FileRefusedError';
}
