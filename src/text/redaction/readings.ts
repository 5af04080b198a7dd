import { ENCODINGS, INVISIBLE, type Encoding } from './escapes';

/** A text with some of its escapes replaced by what they stand for. */
export interface Reading {
  /** In UTF-8, with one character for each byte. */
  readonly text: string;
  /** The position of each byte, and of the end, in the text as it is written. */
  readonly offsets: Int32Array;
  /**
   * The escapes by the position of what they stand for, and where this ends. An escape may instead
   * be a sign before a secret, and the beginning of the secret.
   */
  readonly escapes: ReadonlyMap<number, { readonly written: string; readonly end: number }>;
}

/** The maximum number of nested encodings whose escapes are replaced. */
const DEEPEST = 2;

/**
 * Returns all ways to read a text: as it is, and without the escapes of one or two encodings, each
 * with and without what is invisible.
 *
 * @param text in UTF-8, with one character for each byte.
 */
export function readingsOf(text: string): readonly Reading[] {
  const known = new Set<string>();
  const offsets = Int32Array.from({ length: text.length + 1 }, (_, at) => at);
  const isNew = (reading: Reading) => !known.has(reading.text) && known.add(reading.text);
  const withoutInvisible = (reading: Reading) => [reading, decoded(reading, INVISIBLE)];
  let found = withoutInvisible({ text, offsets, escapes: new Map() }).filter(isNew);
  const all = [...found];
  for (let depth = 0; depth < DEEPEST; depth++) {
    found = found
      .flatMap((reading) => ENCODINGS.map((encoding) => decoded(reading, encoding)))
      .flatMap(withoutInvisible)
      .filter(isNew);
    all.push(...found);
  }
  return all;
}

function decoded(reading: Reading, { pattern, meaning }: Encoding): Reading {
  const { text, offsets: before } = reading;
  const parts: string[] = [];
  const escapes = new Map<number, { written: string; end: number }>();
  const offsets = new Int32Array(text.length + 1);
  let [at, length] = [0, 0];
  const copyTo = (end: number): void => {
    parts.push(text.slice(at, end));
    for (; at < end; at++, length++) {
      const escape = reading.escapes.get(at);
      if (escape) escapes.set(length, { ...escape, end: length + escape.end - at });
      offsets[length] = before[at]!;
    }
  };
  for (const match of text.matchAll(pattern)) {
    const bytes = meaning(match);
    if (bytes === undefined) continue;
    copyTo(match.index);
    parts.push(bytes);
    escapes.set(length, { written: match[0], end: length + bytes.length });
    offsets.fill(before[at]!, length, (length += bytes.length));
    at += match[0].length;
  }
  if (parts.length === 0) return reading;
  copyTo(text.length);
  offsets[length] = before[at]!;
  return { text: parts.join(''), offsets: offsets.subarray(0, length + 1), escapes };
}
