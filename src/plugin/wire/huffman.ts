/**
 * The code lengths of the characters 0 to 255 in bits, each as a digit in base 36 (RFC 7541,
 * appendix B).
 */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6' +
  'f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollq' +
  'qsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq';
const LONGEST = 30;
const LONGEST_PADDING = 7;

/** The characters whose codes have one length. Each code is its predecessor plus 1. */
interface Row {
  readonly first: number;
  readonly characters: readonly number[];
}

let rows: readonly Row[] | undefined;

function readRows(): readonly Row[] {
  const charactersOf: number[][] = Array.from({ length: LONGEST + 1 }, () => []);
  for (let code = 0; code < LENGTHS.length; code += 1) {
    charactersOf[Number.parseInt(LENGTHS[code]!, 36)]!.push(code);
  }
  let next = 0;
  return charactersOf.map((characters) => {
    const first = next;
    next = (first + characters.length) * 2;
    return { first, characters };
  });
}

/**
 * Decodes a Huffman-encoded string literal of HPACK.
 *
 * @throws Error if it is invalid.
 */
export function fromHuffman(bytes: Uint8Array): string {
  rows ??= readRows();
  const text: number[] = [];
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      length += 1;
      const row = rows[length];
      if (!row) throw new Error('invalid header block: unknown Huffman code');
      const character = row.characters[code - row.first];
      if (character === undefined) continue;
      text.push(character);
      code = 0;
      length = 0;
    }
  }
  // The last byte is padded with ones.
  if (length > LONGEST_PADDING || code !== 2 ** length - 1)
    throw new Error('invalid header block: truncated Huffman code');
  return Buffer.from(text).toString('latin1');
}
