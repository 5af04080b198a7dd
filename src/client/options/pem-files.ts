import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inWords, readPlainFile } from '../../files';
import { errorWords } from '../error-words';
import { VaultError } from '../vault-error';

/**
 * The maximum size in bytes. The certificates of all public authorities together have less than one
 * MiB.
 */
const LONGEST = 16 * 1024 * 1024;

/**
 * Reads a file.
 *
 * @param setting the setting that names the file, for the error.
 */
export function readText(file: string, setting: string): string {
  return using(file, setting, () => readPlainFile(file, LONGEST).toString());
}

/** Returns the certificates in all files of a folder. */
export function readCertificates(folder: string, setting: string): string[] {
  const files = using(folder, setting, () =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile()),
  );
  if (files.length === 0) throw unusable(folder, setting, 'it holds no file');
  return files.map((file) => certificates(readText(file, setting), file, setting));
}

/**
 * Returns the text if it contains a certificate. Node.js silently accepts text without any, and
 * then trusts no server.
 */
export function certificates(pem: string, origin: string, setting: string): string {
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw unusable(origin, setting, 'it holds no PEM certificate');
}

/**
 * Runs an action on a file or folder.
 *
 * @throws VaultError `invalid_options` if the action fails.
 */
export function using<T>(origin: string, setting: string, action: () => T): T {
  try {
    return inWords(action);
  } catch (error) {
    throw unusable(origin, setting, errorWords(error as Error));
  }
}

function unusable(origin: string, setting: string, problem: string): VaultError {
  return new VaultError({
    code: 'invalid_options',
    message: `cannot use ${origin} for TLS: ${problem}; check ${setting}`,
  });
}
