import { encodeHeaders, HeaderDecoder } from '../../../src/plugin/wire/hpack';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

test('the three requests on one connection of RFC 7541, C.4, are decoded', () => {
  const decoder = new HeaderDecoder();
  const first = [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':path', '/'],
    [':authority', 'www.example.com'],
  ];
  expect(decoder.decode(bytes('8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff'))).toEqual(first);
  expect(decoder.decode(bytes('8286 84be 5886 a8eb 1064 9cbf'))).toEqual([
    ...first,
    ['cache-control', 'no-cache'],
  ]);
  expect(decoder.decode(bytes('8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf'))).toEqual([
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/index.html'],
    [':authority', 'www.example.com'],
    ['custom-key', 'custom-value'],
  ]);
});

test('headers that do not enter the table are decoded, and an index of an evicted header is refused', () => {
  const decoder = new HeaderDecoder();
  const long = 'x'.repeat(200);
  const encoded = encodeHeaders([
    ['grpc-message', long],
    ['empty', ''],
  ]);
  expect(decoder.decode(encoded)).toEqual([
    ['grpc-message', long],
    ['empty', ''],
  ]);
  expect(() => decoder.decode(bytes('be'))).toThrow('invalid header block: index 62 is out of range');
  // The bytes 40 01 61 01 62 add "a: b" to the table, and 20 shrinks the table to nothing.
  expect(decoder.decode(bytes('4001610162 be'))).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  expect(() => decoder.decode(bytes('20 be'))).toThrow('index 62 is out of range');
});

test.each([
  ['80', 'index 0 is out of range'],
  ['ff80808080 8001', 'integer too long'],
  ['ffffffffff 7f', 'integer too large'],
  ['40', 'truncated'],
  ['4003 6162', 'truncated'],
  // The bytes of 31 encode the table size 4097, and at most 4096 is allowed.
  ['3fe21f', 'a table of 4097 bytes exceeds the limit of 4096'],
  // Three invalid ends of a text: padding with zeros, a whole byte of padding, and a code of 30
  // ones.
  ['4081 18 00', 'truncated Huffman code'],
  ['4082 1fff 00', 'truncated Huffman code'],
  ['4084 ffffffff 00', 'unknown Huffman code'],
])('invalid bytes are refused: %s', (block, message) => {
  expect(() => new HeaderDecoder().decode(bytes(block))).toThrow(message);
});
