import type { Milliseconds } from './clock';
import type { WireAnswer } from './exchange';

/** The maximum length of a head, of trailers and of the line before a chunk, in bytes. */
const MAX_HEAD = 16 * 1024;
/**
 * The milliseconds for which an idle connection is kept, unless the server announces a shorter
 * time, from which the margin is subtracted.
 */
export const KEEP_ALIVE = 30_000;
const KEEP_ALIVE_MARGIN = 2_000;

const BEGINNING = 'HTTP/';
const LINE_FEED = 0x0a;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\r\0]*)?$/;
const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e\x80-\xff]*)$/;
const CHUNK_LINE = /^([\da-f]{1,8})[\t ]*(?:;[^\r\0]*)?$/i;
const LENGTH = /^\d{1,15}$/;

/** The error about bytes that are not HTTP/1.1. Its message has no part of them. */
export class AnswerSyntaxError extends Error {
  override readonly name = 'AnswerSyntaxError';
}

/** Receives the parts of an answer. */
interface AnswerReceiver {
  onHead(status: number, headers: WireAnswer['headers']): void;
  onBody(part: Buffer): void;
}

type Expected =
  'status' | 'header' | 'body' | 'chunk line' | 'chunk' | 'end of chunk' | 'trailer' | 'rest' | 'nothing';

/**
 * Reads one answer of HTTP/1.1. It takes what RFC 9112 allows to send, and refuses what recipients
 * may only tolerate.
 */
export class AnswerReader {
  readonly #receiver: AnswerReceiver;
  #expected: Expected = 'status';
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The beginning of a line whose end has not arrived. */
  #line = '';
  /** The number of bytes that lines may still have. */
  #lineBudget = MAX_HEAD;
  /** The number of missing bytes of the body or chunk. */
  #missing = 0;
  #isOldVersion = false;
  #status = 0;
  #headers: Record<string, string | string[]> = {};
  #keepAlive: Milliseconds = 0;

  constructor(receiver: AnswerReceiver) {
    this.#receiver = receiver;
  }

  get isComplete(): boolean {
    return this.#expected === 'nothing';
  }

  /** The milliseconds for which the connection may be idle afterwards; 0: it must be closed. */
  get keepAlive(): Milliseconds {
    return this.#at === this.#bytes.length ? this.#keepAlive : 0;
  }

  /**
   * Reads the next bytes, up to the end of the answer.
   *
   * @throws AnswerSyntaxError; Error for a head that is too long.
   */
  read(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#at = 0;
    while (this.#at < bytes.length && !this.isComplete) {
      if (this.#expected === 'body' || this.#expected === 'chunk' || this.#expected === 'rest')
        this.#readPart();
      else {
        const line = this.#nextLine();
        if (line !== undefined) this.#readLine(line);
      }
    }
  }

  /** Reads the end of the connection: of some answers it is the end. */
  readEnd(): void {
    if (this.#expected === 'rest') this.#expected = 'nothing';
  }

  #readPart(): void {
    const rest = this.#bytes.length - this.#at;
    const length = this.#expected === 'rest' ? rest : Math.min(rest, this.#missing);
    this.#receiver.onBody(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    if (this.#expected === 'rest') return;
    this.#missing -= length;
    if (this.#missing === 0) this.#expected = this.#expected === 'chunk' ? 'end of chunk' : 'nothing';
  }

  /** Returns the next line if it is complete. */
  #nextLine(): string | undefined {
    const lineFeed = this.#bytes.indexOf(LINE_FEED, this.#at);
    const end = lineFeed === -1 ? this.#bytes.length : lineFeed + 1;
    this.#lineBudget -= end - this.#at;
    if (this.#lineBudget < 0) throw new Error(`a head or line is longer than ${MAX_HEAD} bytes`);
    const line = this.#line + this.#bytes.toString('latin1', this.#at, end);
    this.#at = end;
    this.#line = lineFeed === -1 ? line : '';
    if (this.#expected === 'status' && !line.startsWith(BEGINNING.slice(0, line.length)))
      throw new AnswerSyntaxError('the answer does not begin with a status line');
    if (lineFeed === -1) return undefined;
    if (!line.endsWith('\r\n')) throw new AnswerSyntaxError('a line does not end with CR and LF');
    return line.slice(0, -2);
  }

  #readLine(line: string): void {
    switch (this.#expected) {
      case 'status':
        return this.#readStatus(line);
      case 'header':
        return line === '' ? this.#endHead() : this.#readHeader(line);
      case 'chunk line':
        return this.#readChunkLine(line);
      case 'end of chunk':
        if (line !== '') throw new AnswerSyntaxError('a chunk is longer than its length');
        this.#expected = 'chunk line';
        return;
      default:
        // Trailers are not used.
        if (line === '') this.#expected = 'nothing';
    }
  }

  #readStatus(line: string): void {
    const [, minor, status] = STATUS_LINE.exec(line) ?? [];
    if (status === undefined) throw new AnswerSyntaxError('the answer does not begin with a status line');
    this.#isOldVersion = minor === '0';
    this.#status = Number(status);
    this.#expected = 'header';
  }

  #readHeader(line: string): void {
    const [, written, text] = HEADER_LINE.exec(line) ?? [];
    if (written === undefined || text === undefined) throw new AnswerSyntaxError('a header is not valid');
    const name = written.toLowerCase();
    const value = text.trim();
    const earlier = Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined;
    Object.defineProperty(this.#headers, name, {
      value: earlier === undefined ? value : [earlier, value].flat(),
      ...{ configurable: true, enumerable: true, writable: true },
    });
  }

  #endHead(): void {
    const headers = this.#headers;
    if (this.#status < 200) {
      if (this.#status === 101) throw new AnswerSyntaxError('the server speaks another protocol');
      // The answer comes later.
      this.#headers = {};
      this.#expected = 'status';
      return;
    }
    this.#expected = this.#bodyAfter(headers);
    this.#keepAlive = this.#expected === 'rest' ? 0 : keepAliveOf(headers, this.#isOldVersion);
    this.#lineBudget = MAX_HEAD;
    this.#receiver.onHead(this.#status, headers);
  }

  /** Returns what is expected after the head. */
  #bodyAfter({ 'transfer-encoding': encoding, 'content-length': length }: WireAnswer['headers']): Expected {
    if (this.#status === 204 || this.#status === 304) return 'nothing';
    if (encoding !== undefined) {
      if (length !== undefined) throw new AnswerSyntaxError('the answer has two lengths');
      if (String(encoding).toLowerCase() !== 'chunked')
        throw new AnswerSyntaxError('the transfer encoding is not known');
      return 'chunk line';
    }
    if (length === undefined) return 'rest';
    const [first = '', ...others] = [length].flat();
    if (!LENGTH.test(first) || others.some((each) => each !== first))
      throw new AnswerSyntaxError('the length is not valid');
    this.#missing = Number(first);
    return this.#missing === 0 ? 'nothing' : 'body';
  }

  #readChunkLine(line: string): void {
    const [, length] = CHUNK_LINE.exec(line) ?? [];
    if (length === undefined) throw new AnswerSyntaxError('the length of a chunk is not valid');
    this.#missing = parseInt(length, 16);
    this.#lineBudget = MAX_HEAD;
    this.#expected = this.#missing === 0 ? 'trailer' : 'chunk';
  }
}

function keepAliveOf(
  { connection = '', 'keep-alive': announced = '' }: WireAnswer['headers'],
  isOldVersion: boolean,
): Milliseconds {
  const wishes = String(connection).toLowerCase();
  if (wishes.includes('close') || (isOldVersion && !wishes.includes('keep-alive'))) return 0;
  const [, seconds] = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(String(announced)) ?? [];
  if (seconds === undefined) return KEEP_ALIVE;
  return Math.max(0, Math.min(KEEP_ALIVE, Number(seconds) * 1000 - KEEP_ALIVE_MARGIN));
}
