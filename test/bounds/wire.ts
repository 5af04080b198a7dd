import { clientOptionsFromEnvironment } from '../../src/client/options/environment';
import { standardProxyFor } from '../../src/client/options/proxies';
import { readAnswer } from '../../src/client/answer/answer';
import { encodePath } from '../../src/client/call/wire-request';
import { redirectTarget } from '../../src/client/call/redirect';
import { problemOfAnswer } from '../../src/client/errors/answer-messages';
import { decodeReplicationStatus } from '../../src/client/replication/decode-status';
import { decodeMsgpack, encodeMsgpack } from '../../src/plugin/wire/msgpack';
import { fromHuffman } from '../../src/plugin/wire/huffman';
import { encodeHeaders, HeaderDecoder } from '../../src/plugin/wire/hpack';
import { parseExactJson } from '../../src/plugin/wire/state-json';
import { LONGEST_NUMBER, Redactor } from '../../src/text';
import { type Bound, fields, lists, row, times } from './rows';

const answer = (body: string, headers: Record<string, string> = {}) =>
  readAnswer({ kind: 'answer', status: 400, headers, body });
const jsonList = (size: number) => `{"a":[${times(size, (index) => `{"b":${index}}`, ',')}]}`;
const longNumber = (size: number) => `{"a":${'9'.repeat(size)}}`;
/**
 * Sizes above the limit of numbers. Shorter numbers are converted, which takes time that grows with
 * the square of their length.
 */
const PAST_LONGEST_NUMBER = {
  sizes: [2 * LONGEST_NUMBER, 8 * LONGEST_NUMBER],
  size: 'number in an answer',
} as const;
const HEADERS = { size: 'headers of a call of Terraform' } as const;
const context = {
  call: { verb: 'read', path: 'sys/health' },
  hasToken: true,
  namespace: undefined,
  redactor: new Redactor(),
} as const;

export const WIRE_BOUNDS: readonly Bound[] = [
  row('server', 'readAnswer', jsonList, (body) => answer(body), {
    nested: (levels) => {
      const read = answer(`{"a":${lists(levels)}}`);
      if (read.payload === undefined) throw new Error('the answer is refused');
    },
    deepest: 999,
  }),
  row('server', 'readAnswer, of a long number', longNumber, (body) => answer(body), PAST_LONGEST_NUMBER),
  row(
    'server',
    'problemOfAnswer, of many errors',
    (size) => answer(JSON.stringify({ errors: Array.from({ length: size }, (_, index) => `no ${index}`) })),
    (read) => problemOfAnswer(read, context),
    { sizes: [128, 1_024] },
  ),
  row(
    'server',
    'problemOfAnswer, of errors that the server joined',
    (size) => answer(JSON.stringify({ errors: [`${size} errors occurred:\n${'\t* no\n'.repeat(size)}`] })),
    (read) => problemOfAnswer(read, context),
  ),
  row(
    'server',
    'problemOfAnswer, of a page',
    (size) => answer('<html> \n'.repeat(size)),
    (read) => problemOfAnswer(read, context),
  ),
  row(
    'server',
    'redirectTarget',
    (size) => answer('', { location: `https://a/${'%2e/'.repeat(size)}v1/a` }),
    (read) => redirectTarget(read, new URL('https://b'), '/v1/a'),
  ),
  row(
    'server',
    'decodeReplicationStatus',
    (size) => ({
      mode: 'primary',
      secondaries: Array.from({ length: size }, (_, index) => ({ node_id: `n${index}` })),
    }),
    decodeReplicationStatus,
  ),
  row('argument', 'encodePath', (size) => 'a b/'.repeat(size), encodePath),
  row(
    'environment',
    'clientOptionsFromEnvironment',
    (size) => ({
      VAULT_HEADERS: JSON.stringify(fields(size, String)),
      VAULT_CLIENT_TIMEOUT: '1s'.repeat(size),
    }),
    (env) => clientOptionsFromEnvironment({ ...env }),
    {
      nested: (levels) => clientOptionsFromEnvironment({ VAULT_HEADERS: `{"a":${lists(levels, '"b"')}}` }),
      deepest: 0,
    },
  ),
  row(
    'environment',
    'standardProxyFor',
    (size) => ({ https: 'p', none: times(size, (index) => `a${index}:8${index},10.0.0.0/8`, ',') }),
    (proxies) => standardProxyFor('https://vault.example.com', proxies),
  ),
  row('plan', 'decodeMsgpack', (size) => encodeMsgpack(fields(size, String)), decodeMsgpack, {
    nested: (levels) => decodeMsgpack(Buffer.concat([Buffer.alloc(levels, 0x91), Buffer.of(0xc0)])),
    deepest: 100,
    size: 'message of Terraform',
  }),
  row('state', 'parseExactJson', (size) => Buffer.from(jsonList(size)), parseExactJson, {
    nested: (levels) => parseExactJson(Buffer.from(lists(levels))),
    deepest: 300,
  }),
  row(
    'state',
    'parseExactJson, of a long number',
    (size) => Buffer.from(longNumber(size)),
    parseExactJson,
    PAST_LONGEST_NUMBER,
  ),
  row('request', 'fromHuffman', (size) => new Uint8Array(size).fill(0x1c), fromHuffman, HEADERS),
  row(
    'request',
    'HeaderDecoder.decode',
    (size) => encodeHeaders(Array.from({ length: size }, (_, index) => [`x-${index}`, 'a'] as const)),
    (block) => new HeaderDecoder().decode(block),
    HEADERS,
  ),
  row(
    'request',
    'HeaderDecoder.decode, of headers to remember',
    (size) =>
      Buffer.concat(Array.from({ length: size }, () => Buffer.from('\u0040\u0001a\u0001b', 'latin1'))),
    (block) => new HeaderDecoder().decode(block),
    { ...HEADERS, sizes: [256, 2_048] },
  ),
];
