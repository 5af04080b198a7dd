import {
  Diagnostics,
  dynamic,
  Dynamic,
  listBlock,
  map,
  mapNested,
  object,
  setNested,
  singleBlock,
  singleNested,
  string,
  types,
  UNKNOWN,
  type Schema,
} from '../../../src/plugin';
import { contentOf } from '../../../src/plugin/server/content';
import { secretCollector, warnOfShortSecrets } from '../../../src/plugin/server/secret-values';

const secret = string({ optional: true, sensitive: true });
const open = string({ optional: true });

function secretsIn(schema: Schema, values: Readonly<Record<string, unknown>> | null): string[] {
  const found: string[] = [];
  secretCollector(contentOf(schema))(values, (text) => found.push(text));
  return found.sort();
}

test('sensitive and write-only attributes are collected, and no others', () => {
  const schema = { attributes: { secret, open, wo: string({ optional: true, writeOnly: true }) } };
  expect(secretsIn(schema, { secret: 'a', open: 'b', wo: 'c' })).toEqual(['a', 'c']);
});

test('isSecret selects the secret texts of a sensitive attribute', () => {
  const token = string({ optional: true, sensitive: true, isSecret: (text) => text !== 'root' });
  const schema = { attributes: { in: mapNested({ token, secret }, { optional: true }) } };
  const values = { in: { a: { token: 'root', secret: 'root' }, b: { token: 'hvs.b', secret: null } } };
  expect(secretsIn(schema, values)).toEqual(['hvs.b', 'root']);
});

test('isSecret selects the secret entries of a sensitive map, with their positions', () => {
  const isSecret = (_text: string, key?: string) => key !== 'username';
  const parameters = map(types.string, { optional: true, sensitive: true, isSecret });
  const schema = { attributes: { login: singleNested({ parameters }, { optional: true }) } };
  const values = { login: { parameters: { username: 'policy', password: 'a' } } };
  const found: unknown[] = [];
  secretCollector(contentOf(schema))(values, (secret, path) => found.push([secret, path]));
  expect(found).toEqual([['a', ['login', 'parameters', 'password']]]);
});

test.each<[string, Schema, object]>([
  [
    'a single block',
    { attributes: {}, blocks: { in: singleBlock({ attributes: { secret, open } }) } },
    { in: { secret: 'a', open: 'b' } },
  ],
  [
    'a list of blocks',
    { attributes: {}, blocks: { in: listBlock({ attributes: { secret } }) } },
    { in: [{ secret: 'a' }] },
  ],
  [
    'a block in a block',
    {
      attributes: {},
      blocks: {
        in: singleBlock({ attributes: {}, blocks: { on: singleBlock({ attributes: { secret } }) } }),
      },
    },
    { in: { on: { secret: 'a' } } },
  ],
  [
    'a nested attribute',
    { attributes: { in: singleNested({ secret, open }, { optional: true }) } },
    { in: { secret: 'a', open: 'b' } },
  ],
  [
    'a map',
    { attributes: { in: mapNested({ secret }, { optional: true }) } },
    { in: { key: { secret: 'a' } } },
  ],
  ['a set', { attributes: { in: setNested({ secret }, { optional: true }) } }, { in: [{ secret: 'a' }] }],
  [
    'a sensitive object',
    { attributes: { in: object({ one: types.string }, { optional: true, sensitive: true }) } },
    { in: { one: 'a' } },
  ],
  [
    'a value of any type',
    { attributes: { in: dynamic({ optional: true, sensitive: true }) } },
    { in: new Dynamic('string', 'a') },
  ],
])('the secrets are found in %s', (_name, schema, values) => {
  expect(secretsIn(schema, { ...values })).toEqual(['a']);
  expect(secretsIn(schema, { in: null })).toEqual([]);
  expect(secretsIn(schema, { in: UNKNOWN })).toEqual([]);
});

test('secrets that are too short to be hidden cause a warning without a line, which Terraform would show', () => {
  const schema = { attributes: { in: setNested({ secret }, { optional: true }) } };
  const diagnostics = new Diagnostics();
  const values = { in: [{ secret: 'ab' }, { secret: 'abc' }, { secret: '' }, { secret: null }] };
  warnOfShortSecrets(secretCollector(contentOf(schema)), values, diagnostics);
  expect(diagnostics.list).toMatchObject([
    { severity: 'warning', summary: 'in[0].secret is too short to be hidden', path: [] },
  ]);
});

test('an empty object has no secrets', () => {
  expect(secretsIn({ attributes: { secret } }, null)).toEqual([]);
});
