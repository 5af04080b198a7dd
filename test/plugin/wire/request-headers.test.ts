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

test('the headers of a gRPC request give its path, and its length if it says one', () => {
  const path = '/tfplugin6.Provider/PlanResourceChange';
  expect(readRequestHeaders([...REQUEST, ...FIELDS])).toEqual({ path, length: undefined });
  expect(readRequestHeaders([...REQUEST, ...FIELDS, ['content-length', '12']])).toEqual({ path, length: 12 });
});

test.each<[string, readonly Header[], string]>([
  ['no path', REQUEST.filter(([name]) => name !== ':path'), 'a request without :path'],
  [
    'an empty path',
    REQUEST.map(([name, value]) => [name, name === ':path' ? '' : value]),
    'a request without :path',
  ],
  ['two methods', [REQUEST[0]!, ...REQUEST], 'the header :method in a wrong place'],
  ['a header of answers', [...REQUEST, [':status', '200']], 'the header :status in a wrong place'],
  ['the path among the fields', [FIELDS[0]!, ...REQUEST], 'the header :method in a wrong place'],
  ['capital letters', [...REQUEST, ['X-Test', 'ok']], 'the header X-Test in capital letters'],
  [
    'a header of HTTP/1.1',
    [...REQUEST, ['connection', 'keep-alive']],
    'the header connection: keep-alive, which belongs to HTTP/1.1',
  ],
  [
    'another TE',
    [...REQUEST, ['te', 'trailers, deflate']],
    'the header te: trailers, deflate, which belongs to HTTP/1.1',
  ],
])('a request with %s is not valid', (_name, headers, error) => {
  expect(() => readRequestHeaders(headers)).toThrow(new Error(error));
});

test('trailers are fields', () => {
  expect(() => readTrailers(FIELDS)).not.toThrow();
  expect(() => readTrailers([[':path', '/']])).toThrow(new Error('the header :path in a wrong place'));
});
