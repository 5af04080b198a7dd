import {
  defineProvider,
  definitions,
  string,
  type Attribute,
  type ProviderPart,
  type Resource,
} from '../../../src/plugin';
import { getMetadata } from '../../../src/plugin/server/describe';
import { ProviderServer } from '../../../src/plugin/server/provider-server';
import { served } from '../../../src/plugin/served';
import { Redactor } from '../../../src/text';

const { resource } = definitions<void>();

function resourceOf(name: string, attribute: Attribute = string({ required: true })): Resource<void> {
  return resource({
    name,
    schema: { attributes: { attribute } },
    create: ({ plan }) => plan as never,
    read: ({ state }) => state,
    delete() {},
  });
}

/** The names of the loaded parts. */
let loaded: string[];
beforeEach(() => {
  loaded = [];
});

function part(
  names: readonly string[],
  resources = names.map((name) => resourceOf(name)),
): ProviderPart<void> {
  return {
    names,
    load() {
      loaded.push(names.join());
      return { resources };
    },
  };
}

function providerOf(...parts: ProviderPart<void>[]) {
  return defineProvider({
    name: 'acme',
    version: '1.0.0',
    schema: { attributes: {} },
    configure: () => {},
    resources: [resourceOf('own')],
    parts,
  });
}

test('a part is loaded once, by the first use of one of its objects', () => {
  const server = new ProviderServer(providerOf(part(['a', 'b']), part(['c'])), new Redactor(), () => {});
  expect(server.resource('acme_own').name).toBe('own');
  expect(loaded).toEqual([]);
  expect(server.resource('acme_b').name).toBe('b');
  expect(server.resource('acme_a').name).toBe('a');
  expect(loaded).toEqual(['a,b']);
});

test('a description of the provider has the objects of all parts', () => {
  const { resources } = getMetadata({ provider: providerOf(part(['a']), part(['b'])) });
  expect(resources).toEqual(['acme_own', 'acme_a', 'acme_b'].map((typeName) => ({ typeName })));
});

test('the name of a type of a part is not hidden as a secret, and the part is not loaded for that', () => {
  const { secrets } = served(providerOf(part(['reader_key'])));
  secrets.add('reader_key');
  expect(secrets.hide('acme_reader_key')).toBe('acme_reader_key');
  expect(loaded).toEqual([]);
});

test.each<[what: string, parts: ProviderPart<void>[]]>([
  ['two parts', [part(['a']), part(['a', 'b'])]],
  ['a part and the provider itself', [part(['own'])]],
])('the same name in %s is refused', (_what, parts) => {
  expect(() => providerOf(...parts)).toThrow(/^provider acme: (a|own) is defined twice$/);
});

test.each<[what: string, names: string[], objects: string[], differing: string]>([
  ['without an object of its names', ['a', 'b'], ['a'], 'b'],
  ['with an object of another name', ['a'], ['a', 'c'], 'c'],
])('a part %s is refused when it is loaded', (_what, names, objects, differing) => {
  const server = new ProviderServer(
    providerOf(
      part(
        names,
        objects.map((name) => resourceOf(name)),
      ),
    ),
    new Redactor(),
    () => {},
  );
  expect(() => server.resource('acme_a')).toThrow(
    `provider acme: the names of a part and its objects differ in ${differing}`,
  );
});

test('a part with a schema that is not valid is refused when it is loaded', () => {
  const wrong = resourceOf('a', string({}));
  const server = new ProviderServer(providerOf(part(['a'], [wrong])), new Redactor(), () => {});
  expect(() => server.resource('acme_a')).toThrow(
    'resource acme_a, attribute attribute: neither required, optional nor computed',
  );
});
