import {
  bool,
  defineProvider,
  definitions,
  dynamic,
  list,
  listBlock,
  set,
  setBlock,
  setNested,
  singleBlock,
  singleNested,
  string,
  types,
  type Attributes,
  type Blocks,
} from '../../../src/plugin';

const { resource, dataSource } = definitions<void>();

function define(attributes: Attributes, blocks: Blocks = {}) {
  return defineProvider({
    name: 'acme',
    version: '1.0.0',
    schema: { attributes: {} },
    configure: () => {},
    resources: [
      resource({
        name: 'thing',
        schema: { attributes, blocks },
        create: ({ plan }) => plan as never,
        read: ({ state }) => state,
        delete() {},
      }),
    ],
  });
}

test('a valid schema is accepted', () => {
  expect(() =>
    define(
      {
        a: string({ required: true }),
        b: bool({ optional: true, default: false }),
        c: string({ computed: true }),
      },
      { d: singleBlock({ attributes: {}, minItems: 1 }) },
    ),
  ).not.toThrow();
});

test.each<[string, Attributes, Blocks, string]>([
  [
    'two modes',
    { a: string({ required: true, optional: true }) },
    {},
    'attribute a: required excludes optional and computed',
  ],
  ['no mode', { a: string({}) }, {}, 'attribute a: neither required, optional nor computed'],
  [
    'a default of its own',
    { a: string({ required: true, default: 'x' }) },
    {},
    'attribute a: only an optional attribute has a default',
  ],
  [
    'a computed secret to write',
    { a: string({ optional: true, computed: true, writeOnly: true }) },
    {},
    'attribute a: a write-only attribute is neither computed nor has a default',
  ],
  [
    'a name with capitals',
    { aB: string({ optional: true }) },
    {},
    'aB must be lower-case letters, digits and underscores',
  ],
  ['a name of Terraform', { count: string({ optional: true }) }, {}, 'count is a name reserved by Terraform'],
  [
    'a name twice',
    { a: string({ optional: true }) },
    { a: listBlock({ attributes: {} }) },
    'a is both an attribute and a block',
  ],
  [
    'dynamic in a set',
    { a: set(types.dynamic, { optional: true }) },
    {},
    'attribute a: a set holds no dynamic value',
  ],
  [
    'dynamic deep in a set',
    { a: list(types.set(types.list(types.dynamic)), { optional: true }) },
    {},
    'attribute a: a set holds no dynamic value',
  ],
  [
    'dynamic in a nested set',
    { a: setNested({ b: dynamic({ optional: true }) }, { optional: true }) },
    {},
    'attribute b: a set holds no dynamic value',
  ],
  [
    'write-only in a set',
    { a: setNested({ b: string({ optional: true, writeOnly: true }) }, { optional: true }) },
    {},
    'attribute b: a set holds no write-only attribute',
  ],
  [
    'write-only in a set of blocks',
    {},
    { a: setBlock({ attributes: { b: string({ optional: true, writeOnly: true }) } }) },
    'block a, attribute b: a set holds no write-only attribute',
  ],
  [
    'write-only around others',
    { a: singleNested({ b: string({ optional: true }) }, { optional: true, writeOnly: true }) },
    {},
    'attribute a: b must be write-only, as the attribute around it is',
  ],
  [
    'a single block twice',
    {},
    { a: singleBlock({ attributes: {}, minItems: 2 }) },
    'block a: a single block appears at most once',
  ],
  [
    'a maximum below the minimum',
    {},
    { a: listBlock({ attributes: {}, minItems: 2, maxItems: 1 }) },
    'block a: minItems is more than maxItems',
  ],
])('a schema with %s is refused, and the error names the attribute', (_what, attributes, blocks, message) => {
  expect(() => define(attributes, blocks)).toThrow(`resource acme_thing`);
  expect(() => define(attributes, blocks)).toThrow(message);
});

test('write-only attributes are only allowed in resources', () => {
  const source = dataSource({
    name: 'thing',
    schema: { attributes: { a: string({ optional: true, writeOnly: true }) } },
    read: ({ config }) => config as never,
  });
  const provider = { name: 'acme', version: '1.0.0', schema: { attributes: {} }, configure: () => {} };
  expect(() => defineProvider({ ...provider, dataSources: [source] })).toThrow(
    'data source acme_thing, attribute a: only resources have write-only attributes',
  );
});

test('each name can be used once', () => {
  const thing = dataSource({ name: 'thing', schema: { attributes: {} }, read: () => ({}) });
  const provider = { name: 'acme', version: '1.0.0', schema: { attributes: {} }, configure: () => {} };
  expect(() => defineProvider({ ...provider, dataSources: [thing, thing] })).toThrow(
    'thing is defined twice',
  );
});
