/** Random answers of a server. */
import fc from 'fast-check';
import { ACL_POLICY, AUTO_SNAPSHOT, EGP_POLICY } from '../../../src/model';
import { hostileTexts } from './hostile';

/** The token that the server knows, and repeats. */
export const TOKEN = 'hvs.canary/Token+1"7%41';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Names that occur in answers, and some that should not occur. */
const NAMES = [
  ...[
    'data',
    'errors',
    'warnings',
    'auth',
    'wrap_info',
    'request_id',
    'lease_id',
    'keys',
    'key_info',
    'name',
    'policy',
    'paths',
    'type',
  ],
  ...[
    'mode',
    'state',
    'secondaries',
    'known_secondaries',
    'primaries',
    'cluster_id',
    'secondary_id',
    'last_wal',
    'connection_state',
  ],
  ...[
    'client_token',
    'accessor',
    'policies',
    'metadata',
    'token',
    'ttl',
    'creation_path',
    'creation_time',
    'wrapped_accessor',
    'options',
  ],
  ...[
    'sealed',
    'initialized',
    'version',
    'storage_type',
    'interval',
    'capabilities',
    'secondary_public_key',
    'dynamic_filtered_paths',
  ],
  ...[
    'last_snapshot_end',
    'next_snapshot_start',
    'consecutive_errors',
    'a',
    'enforcement_level',
    'name_path_map',
    'usages',
    'cache',
  ],
  ...['__proto__', 'constructor', 'toString', 'toJSON', 'then', 'length', 'hasOwnProperty'],
  ...Object.keys({ ...ACL_POLICY.fields, ...EGP_POLICY.fields, ...AUTO_SNAPSHOT.fields }),
];
const words = fc.constantFrom(
  'primary',
  'secondary',
  'disabled',
  'local',
  'advisory',
  'deny',
  'allow',
  '1h',
  '-1',
  '',
  'NaN',
  TOKEN,
  encodeURIComponent(TOKEN),
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
);
export const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(
      'null',
      'true',
      '1',
      '-0',
      '1e999',
      '123456789012345678901234567890',
      '0.1',
      '"\\ud800"',
      '{}',
      '[]',
    ),
    fc.oneof(words, hostileTexts).map((text) => JSON.stringify(text)),
    fc.array(tie('json'), { maxLength: 4 }).map((all) => `[${all.join(',')}]`),
    // The answer is a text, so that names may occur twice.
    fc
      .array(
        fc.tuple(
          fc.oneof(
            { arbitrary: fc.constantFrom(...NAMES), weight: 9 },
            { arbitrary: hostileTexts, weight: 1 },
          ),
          tie('json'),
        ),
        { maxLength: 6 },
      )
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
}));

export const answers: fc.Arbitrary<HttpAnswer> = fc.record({
  status: fc.oneof(
    { arbitrary: fc.constant(200), weight: 6 },
    {
      arbitrary: fc.constantFrom(100, 204, 301, 307, 400, 403, 404, 412, 429, 472, 500, 503, 599),
      weight: 5,
    },
  ),
  headers: fc.oneof(
    fc.constant({}),
    fc.constantFrom<Readonly<Record<string, string>>>(
      { location: 'https://evil.example/' },
      { location: '//\u0000' },
      { location: 'file:///etc/passwd' },
      { location: '/v1/a?canary' },
      { 'retry-after': '1e99' },
      { 'retry-after': 'Fri, 99' },
      { 'retry-after': '-1' },
    ),
  ),
  body: fc.oneof(
    {
      arbitrary: fc
        .tuple(json, fc.boolean())
        .map(([value, inside]) => (inside ? `{"request_id":"1","data":${value}}` : value)),
      weight: 8,
    },
    { arbitrary: json.map((value) => `{"errors":[${value},${JSON.stringify(TOKEN)}]}`), weight: 3 },
    { arbitrary: hostileTexts.map((text) => `${text}${TOKEN}`), weight: 1 },
  ),
});
