import {
  definitions,
  defineProvider,
  DiagnosticError,
  string,
  types,
  type Listed,
} from '../../../src/plugin';
import { listResource } from '../../../src/plugin/server/list-resource';
import { ProviderServer } from '../../../src/plugin/server/provider-server';
import { shapeOf } from '../../../src/plugin/server/shape';
import { valueCodec } from '../../../src/plugin/wire/dynamic-value';
import { Redactor } from '../../../src/text';

const { resource, listResource: defineList } = definitions<undefined>();
const CREDENTIAL = 'hvs.canary-credential';
const IDENTITY = { name: { type: types.string, requiredForImport: true } };

/**
 * Returns a function that lists things with the given names. A thing called `broken` cannot be
 * read.
 */
function serverOf(names: () => AsyncGenerator<string>) {
  const thing = resource({
    name: 'thing',
    schema: {
      attributes: {
        name: string({ required: true }),
        text: string({ computed: true }),
        note: string({ optional: true, sameMeaning: (one, other) => (one ?? '') === (other ?? '') }),
      },
    },
    identity: { attributes: IDENTITY, of: ({ name }) => ({ name }) },
    create: ({ plan }) => ({ ...plan, text: null }),
    read: ({ state }) => {
      if (state.name === 'broken') throw new DiagnosticError('cannot read thing "broken"', 'It is broken.');
      if (state.name === 'leaks') return { ...state, text: `of ${CREDENTIAL}`, note: '' };
      return state.name === 'gone' ? null : { ...state, text: `of ${state.name}`, note: '' };
    },
    delete: () => {},
    import: ({ identity }) => ({ name: String(identity?.name) }),
  });
  const things = defineList({
    name: 'thing',
    schema: { attributes: { prefix: string({ optional: true }) } },
    async *list({ config }, { diagnostics }): AsyncGenerator<Listed> {
      for await (const name of names()) {
        if (name === 'odd') diagnostics.warning('odd is left out');
        else if (config.prefix === null || name.startsWith(config.prefix)) {
          yield { identity: { name }, displayName: `thing ${name}` };
        }
      }
    },
  });
  const provider = defineProvider({
    name: 'test',
    version: '1.0.0',
    schema: { attributes: {} },
    configure: () => undefined,
    resources: [thing],
    listResources: [things],
  });
  const server = new ProviderServer(provider, new Redactor(['hvs.canary']), () => {});
  server.credentials.add(CREDENTIAL);
  server.configure({ data: undefined, terraformVersion: '1.14.0' });
  const { codec } = shapeOf(thing.schema);
  const identity = valueCodec({ kind: 'object', attributes: { name: types.string } });

  return async (limit: number, includeResourceObject: boolean, prefix: string | null = null) => {
    const config = shapeOf(things.schema).codec.encode({ prefix });
    const request = { typeName: 'test_thing', config, includeResourceObject, limit };
    const events = [];
    for await (const event of listResource(server, request)) {
      events.push({
        name: event.displayName,
        identity: event.identity && identity.decode(event.identity.identityData),
        state: event.resourceObject && codec.decode(event.resourceObject),
        told: event.diagnostic.map(({ severity, summary }) => `${severity} ${summary}`),
      });
    }
    return events;
  };
}

const found = (name: string, state?: object) => ({
  name: `thing ${name}`,
  identity: { name },
  state,
  told: [],
});

test('identities are sent in the order in which they are found', async () => {
  const list = serverOf(async function* () {
    yield* ['b', 'a', 'ab'];
  });
  expect(await list(10, false)).toEqual([found('b'), found('a'), found('ab')]);
  expect(await list(10, false, 'a')).toEqual([found('a'), found('ab')]);
});

test('listed states are those of an import, and objects that are missing or cannot be read have no state', async () => {
  const list = serverOf(async function* () {
    yield* ['a', 'broken', 'gone', 'b'];
  });
  const nothing = { name: '', identity: undefined, state: undefined };
  expect(await list(10, true)).toEqual([
    found('a', { name: 'a', text: 'of a', note: null }),
    { ...nothing, told: ['2 cannot read thing "broken"'] },
    { ...nothing, told: [] },
    found('b', { name: 'b', text: 'of b', note: null }),
  ]);
});

test('the list stops at the limit, and its iterator is closed', async () => {
  let asked = 0;
  let ended = false;
  const list = serverOf(async function* () {
    try {
      for (;;) yield String((asked += 1));
    } finally {
      ended = true;
    }
  });
  expect(await list(3, false)).toHaveLength(3);
  expect([asked, ended]).toEqual([3, true]);
  expect(await list(25, true)).toHaveLength(25);
  expect(asked).toBe(28);
});

test('an error ends the list after the found objects, and warnings are sent with it', async () => {
  const list = serverOf(async function* () {
    yield* ['a', 'odd'];
    throw new DiagnosticError('cannot list things');
  });
  const last = { name: '', identity: undefined, state: undefined };
  expect(await list(10, false)).toEqual([
    found('a'),
    { ...last, told: ['2 odd is left out', '1 cannot list things'] },
  ]);
});

test('an object is left out, with a warning, if its identity or its state contains a credential', async () => {
  const nothing = { name: '', identity: undefined, state: undefined };
  const told = (where: string) => [`2 ${where} contains a credential of the provider`];
  const list = serverOf(async function* () {
    yield* ['a', CREDENTIAL, 'leaks'];
  });
  expect(await list(10, false)).toEqual([found('a'), { ...nothing, told: told('name') }, found('leaks')]);
  expect((await list(10, true)).slice(1)).toEqual([
    { ...nothing, told: told('name') },
    { ...nothing, told: told('text') },
  ]);
});

test('a name is shown without secrets and control characters', async () => {
  const list = serverOf(async function* () {
    yield 'a\u001b[2J\n\u202eb hvs.canary';
  });
  for (const includeResource of [false, true]) {
    const [event] = await list(10, includeResource);
    expect(event?.name).toBe(String.raw`thing a\u001b[2J\n\u202eb (hidden)`);
  }
});
