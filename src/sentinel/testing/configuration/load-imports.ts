import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { File } from '../../ast/nodes';
import { SentinelError, SentinelRuntimeError } from '../../source/errors';
import type { ImportSource } from '../../evaluate/evaluate';
import { STANDARD_IMPORT_NAMES } from '../../imports/names';
import { parseJson } from '../../imports/json';
import { parse } from '../../parser/parse';
import type { SourceText, Span } from '../../source/source-text';
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
 * @throws SentinelError for a file that cannot be read or parsed, and for a plugin that the policy
 *   imports and the configuration does not replace.
 */
export function loadImports(
  configuration: TestConfiguration,
  files: ParsedFiles,
  policy: File,
): ReadonlyMap<string, ImportSource> {
  const { plugins, imports, source } = configuration;
  for (const { path } of policy.imports) {
    const span = plugins.get(path);
    if (!span || imports.has(path) || STANDARD_IMPORT_NAMES.some((name) => name === path)) continue;
    const problem = `the import "${path}" is a plugin, and programs of others are not run`;
    throw new SentinelRuntimeError(
      source,
      span,
      problem,
      `replace its data: mock "${path}" { data = { … } }`,
    );
  }
  return new Map(
    [...configuration.imports].map(([name, each]) => [name, importOf(each, configuration, files)]),
  );
}

function importOf(each: ConfiguredImport, { source }: TestConfiguration, files: ParsedFiles): ImportSource {
  if (each.kind === 'data') return each;
  const fail = (problem: string) => new SentinelRuntimeError(source, each.span, problem);
  const path = localPath(each.path, each.span, source);
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

/**
 * Returns the path of a file that a configuration names: relative to the configuration, or where a
 * remote source is vendored.
 *
 * @throws SentinelRuntimeError for a remote source that is not vendored.
 */
export function localPath(written: string, span: Span, source: SourceText): string {
  const vendored = vendoredPath(written);
  if (vendored === undefined) return join(dirname(source.name), written);
  const found = foundAbove(source.name, vendored);
  if (found !== undefined) return found;
  throw new SentinelRuntimeError(
    source,
    span,
    `the remote source ${written} is not fetched`,
    `copy the file to ${vendored} beside the policies`,
  );
}

const REMOTE = /^(?:[a-z0-9]+::|[a-z][a-z0-9+.-]*:\/\/|git@|(?:github|gitlab)\.com\/|bitbucket\.org\/)/;
/** How many folders above a configuration are searched. */
const MOST_FOLDERS = 16;

/**
 * Returns where a file from a remote source is kept: `vendor/example.com/lib/a.sentinel` for
 * `git::https://example.com/lib.git//a.sentinel?ref=v1`. `undefined` for a local path.
 */
function vendoredPath(source: string): string | undefined {
  if (!REMOTE.test(source)) return undefined;
  const [address = ''] = source.replace(/^[a-z0-9]+::/, '').split('?');
  const names = address
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^[^/@]*@/, '')
    .split(/[/:]/)
    .filter((name) => !['', '.', '..'].includes(name))
    .map((name) => name.replace(/\.git$/, ''));
  return ['vendor', ...names].join('/');
}

/** Returns a path in the folder of a configuration or in one above it. */
function foundAbove(configuration: string, path: string): string | undefined {
  let folder = dirname(configuration);
  for (let depth = 0; depth < MOST_FOLDERS; depth++) {
    if (existsSync(join(folder, path))) return join(folder, path);
    folder = join(folder, '..');
  }
  return undefined;
}

/** Returns the code of a file system error, such as `ENOENT`; `undefined` for any other error. */
function fileErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
