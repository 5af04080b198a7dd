import { SentinelSyntaxError } from '../source/errors';
import { scan } from '../scanner/scanner';
import { KEYWORDS, type Comment, type SentinelToken } from '../scanner/tokens';
import { nearWord } from '../source/near-words';
import type { SourceText, Span } from '../source/source-text';

/**
 * The depth to which brackets, blocks and operators may nest. Deeper ones are refused before they
 * exhaust the stack.
 */
const DEEPEST_NESTING = 500;

/** Names for which no reserved word is suggested, although some resemble one. */
const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'undefined']);

/** The tokens of a text, read from first to last. */
export class TokenStream {
  readonly source: SourceText;
  readonly comments: readonly Comment[];
  readonly #tokens: readonly SentinelToken[];
  readonly #last: SentinelToken;
  #at = 0;
  #depth = 0;

  constructor(source: SourceText) {
    const { tokens, comments } = scan(source);
    this.source = source;
    this.comments = comments;
    this.#tokens = tokens;
    this.#last = tokens.at(-1) ?? { kind: 'end', text: '', start: 0, end: 0 };
  }

  get next(): SentinelToken {
    return this.#tokens[this.#at] ?? this.#last;
  }

  get previous(): SentinelToken {
    return this.#tokens[this.#at - 1] ?? this.#last;
  }

  /** Returns the token that is `distance` places after the next one. */
  peek(distance: number): SentinelToken {
    return this.#tokens[this.#at + distance] ?? this.#last;
  }

  take(): SentinelToken {
    const token = this.next;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  /** Whether the next token is a word or an operator. */
  is(text: string, distance = 0): boolean {
    const token = this.peek(distance);
    return (token.kind === 'operator' || token.kind === 'keyword') && token.text === text;
  }

  takeIf(text: string): boolean {
    if (!this.is(text)) return false;
    this.take();
    return true;
  }

  expect(text: string, after: string): SentinelToken {
    if (this.is(text)) return this.take();
    throw this.unexpected(`"${text}" ${after}`);
  }

  /** Whether a statement ends here. `endStatement` consumes the semicolon. */
  get atSemicolon(): boolean {
    return this.next.kind === 'semicolon';
  }

  /** Skips the end of a line before a closing bracket, where the comma may be left out. */
  skipLineEndBefore(closer: string): void {
    if (this.next.kind === 'semicolon' && this.next.text === '\n' && this.is(closer, 1)) this.take();
  }

  /** Parses a construct that may contain constructs of its own kind. */
  nested<T>(parse: () => T): T {
    if (++this.#depth > DEEPEST_NESTING) {
      throw this.error(this.next, `the text nests more than ${DEEPEST_NESTING} levels deep`);
    }
    const result = parse();
    this.#depth--;
    return result;
  }

  unexpected(expected: string, hint?: string): SentinelSyntaxError {
    const found = this.next;
    const problem = `expected ${expected}, found ${describeToken(found)}`;
    const span = found.text === '\n' || found.kind === 'end' ? pointAt(found.start) : found;
    return this.error(span, problem, hint ?? this.#misspelt());
  }

  error(span: Span, problem: string, hint?: string): SentinelSyntaxError {
    return new SentinelSyntaxError(this.source, span, problem, hint);
  }

  /** Returns the name before an unexpected token if it is nearly a reserved word. */
  #misspelt(): string | undefined {
    for (const token of [this.previous, this.next]) {
      if (token.kind !== 'identifier' || CONSTANTS.has(token.text)) continue;
      const near = nearWord(token.text, KEYWORDS);
      if (near !== undefined) return `did you mean "${near}" instead of "${token.text}"?`;
    }
    return undefined;
  }
}

function pointAt(offset: number): Span {
  return { start: offset, end: offset };
}

function describeToken(token: SentinelToken): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the text';
    case 'semicolon':
      return token.text === '\n' ? 'the end of the line' : '";"';
    case 'keyword':
      return `the reserved word "${token.text}"`;
    case 'string':
      return `the string ${shorten(token.text)}`;
    case 'int':
    case 'float':
      return `the number ${token.text}`;
    case 'identifier':
    case 'operator':
      return `"${token.text}"`;
  }
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 36)}…"`;
}
