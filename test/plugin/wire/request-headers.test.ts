import { readRequestHeaders, readTrailers } from '../../../src/plugin/wire/request-headers';
import type { Header } from '../../../src/plugin/wire/hpack';

const REQUEST: readonly Header[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':path', '/tfplugin6.Provider/PlanResourceChange'],
  [':authority', 'localhost'],
];
const FIELDS: readonly Header[] = [
  ['content-type', 'application/grpc'],
  ['te', 'trailers'],
];

test('the headers of a gRPC request have its path, and its length if it is given', () => {
  const path = '/tfplugin6.Provider/PlanResourceChange';
  expect(readRequestHeaders([...REQUEST, ...FIELDS])).toEqual({ path, length: undefined });
  expect(readRequestHeaders([...REQUEST, ...FIELDS, ['content-length', '12']])).toEqual({ path, length: 12 });
});

test.each<[string, readonly Header[], string]>([
  ['no path', REQUEST.filter(([name]) => name !== ':path'), 'missing pseudo-header :path'],
  [
    'an empty path',
    REQUEST.map(([name, value]) => [name, name === ':path' ? '' : value]),
    'missing pseudo-header :path',
  ],
  ['two methods', [REQUEST[0]!, ...REQUEST], 'unexpected pseudo-header :method'],
  ['a header of answers', [...REQUEST, [':status', '200']], 'unexpected pseudo-header :status'],
  ['the path among the fields', [FIELDS[0]!, ...REQUEST], 'unexpected pseudo-header :method'],
  ['capital letters', [...REQUEST, ['X-Test', 'ok']], 'header name with uppercase letters: X-Test'],
  [
    'a header of HTTP/1.1',
    [...REQUEST, ['connection', 'keep-alive']],
    'header not allowed in HTTP/2: connection: keep-alive',
  ],
  [
    'another TE',
    [...REQUEST, ['te', 'trailers, deflate']],
    'header not allowed in HTTP/2: te: trailers, deflate',
  ],
])('a request with %s is not valid', (_name, headers, error) => {
  expect(() => readRequestHeaders(headers)).toThrow(new Error(error));
});

test('trailers without pseudo-header fields are accepted', () => {
  expect(() => readTrailers(FIELDS)).not.toThrow();
  expect(() => readTrailers([[':path', '/']])).toThrow(new Error('unexpected pseudo-header :path'));
});
