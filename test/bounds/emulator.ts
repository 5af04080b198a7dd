import { parseCidr } from '../../src/emulator/auth/token-params';
import { parseSecretIdMetadata } from '../../src/emulator/auth/approle/secret-id-metadata';
import { cidrsContain } from '../../src/emulator/core/primitives/cidr';
import { readFault } from '../../src/emulator/control/fault-fields';
import { decodeFields } from '../../src/emulator/core/input/field-schemas';
import { parseJson } from '../../src/emulator/core/primitives/json';
import { PathSet } from '../../src/emulator/core/routing/path-set';
import { readMfaCredentials } from '../../src/emulator/core/stores/mfa-methods';
import { readCall, readTarget } from '../../src/emulator/http/call-reader';
import { decodeIndexes, encodeIndex } from '../../src/emulator/replication/index-header';
import { readWrappedContent } from '../../src/emulator/replication/activation/activation-token';
import { type Bound, fields, lists, row, times } from './rows';

const PATHS = new PathSet(['sys/+/a/+/b', 'kv/*', 'auth/token/create', '+/+/+/c*']);
const call = (method: string, url: string, body: string) =>
  readCall(
    { method, url, ...readTarget(url)!, headers: { 'x-vault-token': 'root' }, remoteAddress: '127.0.0.1' },
    body,
    { loadsSnapshots: true },
  );
const deep = (levels: number) => `{"a":${lists(levels)}}`;
const INDEX = encodeIndex({ clusterId: 'c', local: 1, replicated: 1 }, 'key');
const MOST_PREFIXES =
  'each inner range is looked for in the outer ones; a request has at most 10,000 entries';

export const EMULATOR_BOUNDS: readonly Bound[] = [
  row('request', 'readTarget, of a path', (size) => `/v1/${'%41/'.repeat(size)}`, readTarget),
  row(
    'request',
    'readTarget, of a query',
    (size) => `/v1/a?${times(size, (index) => `a${index}=%41`, '&')}`,
    readTarget,
  ),
  row(
    'request',
    'readCall, of a query',
    (size) => `/v1/a?${times(size, (index) => `a${index}=b&a=b`, '&')}`,
    (url) => call('GET', url, ''),
  ),
  row(
    'request',
    'readCall, of JSON',
    (size) => JSON.stringify(fields(size, (index) => [index])),
    (body) => call('POST', '/v1/a', body),
    { nested: (levels) => call('POST', '/v1/a', deep(levels)), deepest: 299 },
  ),
  row('request', 'parseJson, of the emulator', (size) => `[${times(size, String, ',')}]`, parseJson, {
    nested: (levels) => parseJson(deep(levels)),
    deepest: 319,
  }),
  row(
    'request',
    'decodeFields',
    (size) => ({
      list: times(size, (index) => `a${index}`, ','),
      map: fields(size, String),
      ttl: '1s'.repeat(size),
    }),
    (body) =>
      decodeFields(
        { list: { type: 'comma_string_list' }, map: { type: 'key_values' }, ttl: { type: 'duration' } },
        body,
      ),
  ),
  row(
    'request',
    'PathSet.has',
    (size) => 'sys/a/'.repeat(size),
    (path) => PATHS.has(path),
  ),
  row(
    'request',
    'readMfaCredentials',
    (size) => times(size, (index) => `m${index}:1`, ','),
    readMfaCredentials,
  ),
  row('request', 'readMfaCredentials, of one method', (size) => 'm:1,'.repeat(size), readMfaCredentials),
  row(
    'request',
    'decodeIndexes',
    (size) => `${INDEX},`.repeat(size),
    (header) => decodeIndexes(header, 'key'),
    {
      sizes: [16, 128],
    },
  ),
  row('request', 'parseCidr', (size) => `10.0.0.0/${'0'.repeat(size)}8`, parseCidr),
  row(
    'request',
    'cidrsContain',
    (size) => Array.from({ length: size }, (_, index) => `10.${index % 256}.0.0/16`),
    (ranges) => cidrsContain(ranges, ranges),
    { sizes: [8, 64], growth: 2, reason: MOST_PREFIXES, size: 'list or object in a request' },
  ),
  row(
    'request',
    'parseSecretIdMetadata',
    (size) => JSON.stringify(fields(size, String)),
    parseSecretIdMetadata,
    {
      nested: (levels) => parseSecretIdMetadata(`{"a":${lists(levels, '"b"')}}`),
      deepest: 0,
    },
  ),
  row(
    'request',
    'readFault',
    (size) => fields(size, String),
    (body) => readFault(body, 'us'),
  ),
  row('request', 'readWrappedContent', (size) => fields(size, String), readWrappedContent),
];
