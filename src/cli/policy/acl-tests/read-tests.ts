import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ACL_SERVER_SETTINGS,
  GROUP_POLICY_MODES,
  namespacePrefix,
  parseDuration,
  type AclServerSettings,
} from '../../../model';
import { isRecord } from '../../../text';
import { withoutVersion } from '../../../policy/request-path';
import { aclTestsIn, TEST_SUFFIX } from '../../../policy/acl-files';
import { SentinelCheckError } from '../../../sentinel';
import type { SourceText, Span } from '../../../sentinel/source/source-text';
import { parseHcl, toHost, type ConfigBody, type ConfigBlock } from '../../../sentinel/testing';
import {
  ASKED_OPERATIONS,
  COMPARED_OPERATIONS,
  type AskedOperation,
  type ComparedOperation,
} from '../../../model/acl/reasoning/compared-operations';

/** A file with tests of ACL policies. */
export interface AclTestFile {
  readonly source: SourceText;
  /** The files and folders with the policies, as paths from the current folder. */
  readonly sources: readonly string[];
  readonly serverVersion: string | undefined;
  readonly settings: AclServerSettings;
  /** Whether the policies of groups apply to tokens of all namespaces. */
  readonly areGroupsForAll: boolean;
  readonly tokens: readonly TestedToken[];
}

/** A group that the holder of a token is a member of. */
interface TestedGroup {
  /** The namespace: empty for root, else `ns1/ns2/`. */
  readonly namespace: string;
  readonly policies: readonly string[];
}

/** A token, and the requests whose answers are expected. */
export interface TestedToken {
  readonly name: string;
  /** The names of the token's policies. Absent if the token has all policies of the sources. */
  readonly policies: readonly string[] | undefined;
  /** The namespace in which it was issued: empty for root, else `ns1/ns2/`. */
  readonly namespace: string;
  readonly groups: readonly TestedGroup[];
  /** The file with the identity that templates are filled in for. */
  readonly identity: string | undefined;
  /** The names of the policies of the agent's ceiling. Absent without a ceiling. */
  readonly ceiling: readonly string[] | undefined;
  /** The file with the claim `authorization_details`. */
  readonly authorizationDetails: string | undefined;
  readonly span: Span;
  readonly checks: readonly AclCheck[];
}

/** A request with its expected answer, or requests that must all be denied. */
export type AclCheck = AnswerCheck | NeverCheck;

interface AnswerCheck {
  readonly expected: 'allowed' | 'denied';
  readonly operation: AskedOperation;
  readonly path: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** The TTL in seconds. */
  readonly wrapTtl?: number;
  readonly span: Span;
}

interface NeverCheck {
  readonly expected: 'never';
  readonly operation: ComparedOperation;
  /** A pattern, with `+` for a segment and a final `*` for any ending. */
  readonly path: string;
  readonly span: Span;
}

/**
 * Returns the test files that paths name: the files themselves, and those in folders and the
 * folders below.
 */
export function findAclTests(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => (statSync(path).isDirectory() ? aclTestsIn(path) : [path]));
  return [...new Set(found.filter((path) => path.endsWith(TEST_SUFFIX)))];
}

/** @throws SentinelError with the position, if the text is not a test file. */
export function readAclTests(source: SourceText): AclTestFile {
  const folder = dirname(source.name);
  const reader = new BlockReader(source);
  const root = reader.open({ type: 'the file', body: parseHcl(source), span: { start: 0, end: 0 } }, [
    'sources',
    'server_version',
  ]);
  const sources = root.texts('sources') ?? ['.'];
  const blocks = root.blocks<TestedToken | TestedServer>({
    token: (block) => tokenOf(reader, block, folder),
    server: (block) => serverOf(reader, block),
  });
  const tokens = blocks.filter((each) => 'checks' in each);
  const servers = blocks.filter((each) => 'settings' in each);
  const names = new Set<string>();
  for (const { name, span } of tokens) {
    if (names.has(name)) throw reader.error(span, `there are two tokens ${JSON.stringify(name)}`);
    names.add(name);
  }
  if (tokens.length === 0) throw reader.error(root.span, 'there is no block token "NAME"');
  return {
    source,
    sources: sources.map((path) => join(folder, path)),
    serverVersion: root.text('server_version'),
    settings: Object.assign({}, ...servers.map(({ settings }) => settings)) as AclServerSettings,
    areGroupsForAll: servers.some(({ areGroupsForAll }) => areGroupsForAll),
    tokens,
  };
}

type TestedServer = Pick<AclTestFile, 'settings' | 'areGroupsForAll'>;

const GROUP_MODE = 'group_policy_application_mode';

/** Reads the settings of the server. */
function serverOf(reader: BlockReader, block: ConfigBlock): TestedServer {
  const server = reader.open(block, [...ACL_SERVER_SETTINGS.keys(), GROUP_MODE]);
  const flags = Array.from(ACL_SERVER_SETTINGS, ([name, key]) => [key, server.flag(name)] as const);
  const mode =
    server.text(GROUP_MODE) === undefined ? undefined : server.oneOf(GROUP_MODE, GROUP_POLICY_MODES);
  return { settings: Object.fromEntries(flags), areGroupsForAll: mode === GROUP_POLICY_MODES[1] };
}

function tokenOf(reader: BlockReader, block: ConfigBlock, folder: string): TestedToken {
  const [name, ...others] = block.labels;
  if (name === undefined || others.length > 0) {
    throw reader.error(block.span, 'a token has one name: token "app" { … }');
  }
  const token = reader.open(block, ['policies', 'namespace', 'identity', 'ceiling', 'authorization_details']);
  const answered = (expected: 'allowed' | 'denied') => (each: ConfigBlock) =>
    listed(reader, each, ASKED_OPERATIONS).map((check): AclCheck => ({ ...check, expected }));
  const blocks = token.blocks<readonly AclCheck[] | TestedGroup>({
    allowed: answered('allowed'),
    denied: answered('denied'),
    never_allowed: (each) =>
      listed(reader, each, COMPARED_OPERATIONS).map((check) => ({ ...check, expected: 'never' })),
    request: (each) => [requestOf(reader, each)],
    group: (each) => {
      const group = reader.open(each, ['namespace', 'policies']);
      return { namespace: namespacePrefix(group.text('namespace')), policies: group.texts('policies') ?? [] };
    },
  });
  const [identity, details] = [token.text('identity'), token.text('authorization_details')];
  return {
    name,
    policies: token.texts('policies'),
    namespace: namespacePrefix(token.text('namespace')),
    groups: blocks.filter((each) => 'namespace' in each),
    identity: identity === undefined ? undefined : join(folder, identity),
    ceiling: token.texts('ceiling'),
    authorizationDetails: details === undefined ? undefined : join(folder, details),
    span: block.span,
    checks: blocks.flatMap((each) => ('namespace' in each ? [] : each)),
  };
}

/** Returns the paths of a block with their operations. */
function listed<T extends string>(reader: BlockReader, block: ConfigBlock, operations: readonly T[]) {
  const opened = reader.open(block, operations);
  return operations.flatMap((operation) =>
    (opened.texts(operation) ?? []).map((path) => ({
      operation,
      path: withoutVersion(path),
      span: opened.spanOf(operation),
    })),
  );
}

function requestOf(reader: BlockReader, block: ConfigBlock): AclCheck {
  const request = reader.open(block, ['operation', 'path', 'data', 'wrap_ttl', 'expect']);
  const operation = request.oneOf('operation', ASKED_OPERATIONS);
  const expected = request.oneOf('expect', ['allowed', 'denied'] as const);
  const wrapTtl = request.text('wrap_ttl');
  const data = request.object('data');
  return {
    operation,
    path: withoutVersion(request.required('path')),
    ...(data && { data }),
    ...(wrapTtl !== undefined && { wrapTtl: reader.duration(wrapTtl, request.spanOf('wrap_ttl')) }),
    expected,
    span: block.span,
  };
}

/** Reads blocks, and reports invalid parts with their positions. */
class BlockReader {
  readonly #source: SourceText;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** @throws SentinelError for an attribute that is not allowed. */
  open(block: Pick<ConfigBlock, 'type' | 'body' | 'span'>, allowed: readonly string[]): OpenBlock {
    for (const [name, { span }] of block.body.attributes) {
      if (!allowed.includes(name)) {
        throw this.error(span, `${block.type} has no attribute ${name}; allowed: ${list(allowed)}`);
      }
    }
    return new OpenBlock(this, block);
  }

  duration(text: string, span: Span): number {
    try {
      return parseDuration(text);
    } catch {
      throw this.error(span, `${JSON.stringify(text)} is not a duration; write for example "5m"`);
    }
  }

  error(span: Span, problem: string): SentinelCheckError {
    return new SentinelCheckError(this.#source, span, problem);
  }
}

class OpenBlock {
  readonly #reader: BlockReader;
  readonly #type: string;
  readonly #body: ConfigBody;
  readonly span: Span;

  constructor(reader: BlockReader, { type, body, span }: Pick<ConfigBlock, 'type' | 'body' | 'span'>) {
    this.#reader = reader;
    this.#type = type;
    this.#body = body;
    this.span = span;
  }

  spanOf(name: string): Span {
    return this.#body.attributes.get(name)?.span ?? this.span;
  }

  /** Reads the blocks by their types. @throws SentinelError for another type. */
  blocks<T>(types: Readonly<Record<string, (block: ConfigBlock) => T>>): readonly T[] {
    return this.#body.blocks.map((block) => {
      const read = Object.hasOwn(types, block.type) ? types[block.type] : undefined;
      if (read) return read(block);
      const allowed = list(Object.keys(types));
      throw this.#reader.error(block.span, `${this.#type} has no block ${block.type}; allowed: ${allowed}`);
    });
  }

  /** Returns the texts of an attribute whose value is a text or a list of texts. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const texts = [value].flat();
    if (texts.every((each) => typeof each === 'string')) return texts;
    throw this.#mistaken(name, 'a text or a list of texts');
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#mistaken(name, 'a text');
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#mistaken(name, 'true or false');
  }

  object(name: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (isRecord(value)) return value;
    throw this.#mistaken(name, 'an object');
  }

  required(name: string): string {
    const text = this.text(name);
    if (text !== undefined) return text;
    throw this.#reader.error(this.span, `${this.#type} needs the attribute ${name}`);
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const text = this.required(name);
    const found = allowed.find((each) => each === text);
    if (found !== undefined) return found;
    throw this.#mistaken(name, `one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}`);
  }

  #value(name: string): unknown {
    const attribute = this.#body.attributes.get(name);
    return attribute && toHost(attribute.value);
  }

  #mistaken(name: string, expected: string): SentinelCheckError {
    const received = JSON.stringify(this.#value(name));
    return this.#reader.error(this.spanOf(name), `${name} must be ${expected}; received ${received}`);
  }
}

function list(names: readonly string[]): string {
  return names.join(', ');
}
