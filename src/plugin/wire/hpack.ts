import { fromHuffman } from './huffman';

/** A header of a request: name and value. */
export type Header = readonly [name: string, value: string];

/** The static table of RFC 7541, appendix A. */
const STATIC_TABLE: readonly Header[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  ...['200', '204', '206', '304', '400', '404', '500'].map((status) => [':status', status] as const),
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...(
    'accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control ' +
    'content-disposition content-encoding content-language content-length content-location content-range content-type cookie date ' +
    'etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified link ' +
    'location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after server set-cookie ' +
    'strict-transport-security transfer-encoding user-agent vary via www-authenticate'
  )
    .split(' ')
    .map((name) => [name, ''] as const),
];

/** The overhead of each entry of the dynamic table, in bytes. */
const ENTRY_OVERHEAD = 32;
/** The default size of the dynamic table, in bytes. */
const TABLE_SIZE = 4096;
const LARGEST_INTEGER = 2 ** 28;

/**
 * Decodes the header blocks of one connection. They share a table, so every block must be decoded,
 * in order.
 */
export class HeaderDecoder {
  /** The entries of the dynamic table, newest first. */
  readonly #dynamic: Header[] = [];
  #size = 0;
  #limit = TABLE_SIZE;

  /** @throws Error if the block is invalid. The decoder must not be used after that. */
  decode(block: Uint8Array): readonly Header[] {
    const reader = new Reader(block);
    const headers: Header[] = [];
    while (!reader.isAtEnd) {
      const byte = reader.peek();
      if (byte & 0x80) headers.push(this.#entry(reader.integer(7)));
      else if (byte & 0x40) headers.push(this.#remembered(this.#literal(reader, 6)));
      else if (byte & 0x20) this.#resize(reader.integer(5), headers);
      else headers.push(this.#literal(reader, 4));
    }
    return headers;
  }

  #literal(reader: Reader, prefix: number): Header {
    const index = reader.integer(prefix);
    const name = index === 0 ? reader.text() : this.#entry(index)[0];
    return [name, reader.text()];
  }

  #entry(index: number): Header {
    const entry = STATIC_TABLE[index - 1] ?? this.#dynamic[index - 1 - STATIC_TABLE.length];
    if (!entry) throw new Error(`invalid header block: index ${index} is out of range`);
    return entry;
  }

  #remembered(header: Header): Header {
    this.#dynamic.unshift(header);
    this.#size += sizeOf(header);
    this.#evict();
    return header;
  }

  #resize(limit: number, before: readonly Header[]): void {
    if (before.length > 0) throw new Error('invalid header block: a table size update follows a header');
    if (limit > TABLE_SIZE)
      throw new Error(`invalid header block: a table of ${limit} bytes exceeds the limit of ${TABLE_SIZE}`);
    this.#limit = limit;
    this.#evict();
  }

  #evict(): void {
    while (this.#size > this.#limit) this.#size -= sizeOf(this.#dynamic.pop()!);
  }
}

function sizeOf([name, value]: Header): number {
  return name.length + value.length + ENTRY_OVERHEAD;
}

class Reader {
  readonly #block: Uint8Array;
  #offset = 0;

  constructor(block: Uint8Array) {
    this.#block = block;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#block.length;
  }

  peek(): number {
    const byte = this.#block[this.#offset];
    if (byte === undefined) throw new Error('invalid header block: truncated');
    return byte;
  }

  /** @param prefix the number of bits of the first byte that belong to the integer. */
  integer(prefix: number): number {
    const full = 2 ** prefix - 1;
    let value = this.#next() & full;
    if (value < full) return value;
    let factor = 1;
    for (;;) {
      const byte = this.#next();
      value += (byte & 0x7f) * factor;
      if (value > LARGEST_INTEGER) throw new Error('invalid header block: integer too large');
      if ((byte & 0x80) === 0) return value;
      factor *= 0x80;
      if (factor > LARGEST_INTEGER) throw new Error('invalid header block: integer too long');
    }
  }

  text(): string {
    const isHuffman = (this.peek() & 0x80) !== 0;
    const length = this.integer(7);
    const end = this.#offset + length;
    if (end > this.#block.length) throw new Error('invalid header block: truncated');
    const bytes = this.#block.subarray(this.#offset, end);
    this.#offset = end;
    return isHuffman ? fromHuffman(bytes) : Buffer.from(bytes).toString('latin1');
  }

  #next(): number {
    const byte = this.peek();
    this.#offset += 1;
    return byte;
  }
}

/**
 * Encodes headers as literals that are not added to the table. Names must be shorter than 127
 * characters.
 */
export function encodeHeaders(headers: readonly Header[]): Buffer {
  return Buffer.concat(
    headers.map(([name, value]) =>
      Buffer.concat([
        Buffer.of(0, name.length),
        Buffer.from(name, 'latin1'),
        lengthOf(value),
        Buffer.from(value, 'latin1'),
      ]),
    ),
  );
}

function lengthOf({ length }: string): Buffer {
  if (length < 0x7f) return Buffer.of(length);
  const bytes = [0x7f];
  let rest = length - 0x7f;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push(0x80 + (rest % 0x80));
  return Buffer.of(...bytes, rest);
}
