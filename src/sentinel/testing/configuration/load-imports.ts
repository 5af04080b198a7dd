import { dirname, join } from 'node:path';
import type { File } from '../../ast/nodes';
import { SentinelError, SentinelRuntimeError } from '../../source/errors';
import type { ImportSource } from '../../evaluate/evaluate';
import { parseJson } from '../../imports/json';
import { parse } from '../../parser/parse';
import { NativeFault } from '../../values/value';
import type { ReadFile } from '../read-file';
import type { ConfiguredImport, TestConfiguration } from './test-configuration';

/** The Sentinel texts by their paths. Each file is read once. */
export class ParsedFiles {
  readonly #files = new Map<string, File | SentinelError>();

  constructor(readonly read: ReadFile) {}

  /**
   * Returns the text at a path, or its fault.
   *
   * @throws the error of the file system.
   */
  at(path: string): File | SentinelError {
    const known = this.#files.get(path);
    if (known) return known;
    const parsed = parsedAt(path, this.read);
    this.#files.set(path, parsed);
    return parsed;
  }
}

function parsedAt(path: string, read: ReadFile): File | SentinelError {
  try {
    return parse(read(path), path);
  } catch (error) {
    if (error instanceof SentinelError) return error;
    throw error;
  }
}

/**
 * Reads the files of a configuration's imports. Their paths are relative to the configuration.
 *
 * @throws SentinelError with the position in the configuration, or in the file.
 */
export function loadImports(
  configuration: TestConfiguration,
  files: ParsedFiles,
): ReadonlyMap<string, ImportSource> {
  return new Map(
    [...configuration.imports].map(([name, each]) => [name, importOf(each, configuration, files)]),
  );
}

function importOf(each: ConfiguredImport, { source }: TestConfiguration, files: ParsedFiles): ImportSource {
  if (each.kind === 'data') return each;
  const path = join(dirname(source.name), each.path);
  const fail = (problem: string) => new SentinelRuntimeError(source, each.span, problem);
  try {
    if (each.kind === 'static') return { kind: 'data', data: parseJson(files.read(path)) };
    const file = files.at(path);
    if (file instanceof SentinelError) throw file;
    return { kind: 'module', file };
  } catch (error) {
    if (error instanceof SentinelError) throw error;
    if (error instanceof NativeFault) throw fail(`${path}: ${error.message}`);
    const code = fileErrorCode(error);
    if (code !== undefined) throw fail(`${path} could not be read (${code})`);
    throw error;
  }
}

/** Returns the code of a file system error, such as `ENOENT`; `undefined` for any other error. */
function fileErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
