import {
  defineProvider,
  definitions,
  Dynamic,
  dynamic,
  listBlock,
  map,
  mapNested,
  number,
  object,
  set,
  singleBlock,
  string,
  types,
  UNKNOWN,
  type Schema,
} from '../../../src/plugin';
import { applyResourceChange } from '../../../src/plugin/server/apply-resource-change';
import { configureProvider } from '../../../src/plugin/server/configure';
import { contentOf, type ObjectValue } from '../../../src/plugin/server/content';
import { ComparedSecrets, exposureIn, shownBy, shownIn } from '../../../src/plugin/server/credentials';
import { importResourceState } from '../../../src/plugin/server/import-resource-state';
import { ProviderServer } from '../../../src/plugin/server/provider-server';
import { readResource } from '../../../src/plugin/server/read-resource';
import { shapeOf } from '../../../src/plugin/server/shape';
import { NULL_VALUE } from '../../../src/plugin/wire/dynamic-value';
import { Redactor } from '../../../src/text';

const CREDENTIAL = 'hvs.canary-token';
const OWN = 'canary-pin';

function secrets(...all: readonly string[]): ComparedSecrets {
  const compared = new ComparedSecrets();
  for (const secret of all) compared.add(secret);
  return compared;
}

describe('a secret within a text', () => {
  test.each([
    ['in a text that equals it, from 3 bytes', 'abc', 'abc', ['abc']],
    ['in a text that equals it, counted in bytes', '€', '€', ['€']],
    ['only if it has at least 3 bytes', 'ab', 'ab', []],
    ['in a text that contains it, from 8 bytes', '12345678', 'a12345678b', ['12345678']],
    ['within a longer text only if it has at least 8 bytes', '1234567', 'a1234567b', []],
    ['without the line break at its end', '12345678\n', '<12345678>', ['12345678']],
    ['as JSON quotes it', 'canary"\nx', '{"a":"canary\\"\\nx"}', ['canary\\"\\nx']],
    ['only in the same case', 'canary-pin', 'CANARY-PIN', []],
  ])('the secret is found %s', (_, secret, text, expected) => {
    expect(secrets(secret).within(text)).toEqual(expected);
  });
});

const open = string({ optional: true });
const sensitive = string({ optional: true, sensitive: true });
const SCHEMA = {
  attributes: {
    open,
    sensitive,
    wo: string({ optional: true, writeOnly: true }),
    count: number({ optional: true }),
    free: dynamic({ optional: true }),
    labels: map(types.string, { optional: true }),
    names: set(types.string, { optional: true }),
    whole: object({ open: types.string, inner: types.map(types.string) }, { optional: true }),
    byName: mapNested({ open, sensitive }, { optional: true }),
  },
  blocks: { one: singleBlock({ attributes: { open } }), many: listBlock({ attributes: { open } }) },
} satisfies Schema;
const CONTENT = contentOf(SCHEMA);
const KNOWN = { credentials: secrets(CREDENTIAL, '31337'), own: secrets(OWN) };

const exposure = (value: ObjectValue, given: ObjectValue | null = null) =>
  exposureIn(CONTENT, value, shownBy(CONTENT, given), KNOWN);

describe('a value that contains a secret is found', () => {
  test.each<[value: ObjectValue, path: readonly (string | number)[]]>([
    [{ open: `x ${CREDENTIAL}` }, ['open']],
    [{ sensitive: CREDENTIAL }, ['sensitive']],
    [{ count: 31337 }, ['count']],
    [
      { free: new Dynamic(['object', { a: ['list', 'string'] }], { a: ['b', CREDENTIAL] }) },
      ['free', 'a', 1],
    ],
    [{ free: new Dynamic(['map', 'string'], { [CREDENTIAL]: 'b' }) }, ['free']],
    [{ labels: { [CREDENTIAL]: 'b' } }, ['labels']],
    [{ labels: { a: CREDENTIAL } }, ['labels', 'a']],
    [{ names: ['a', CREDENTIAL] }, ['names', 1]],
    [{ whole: { open: 'a', inner: { [CREDENTIAL]: 'b' } } }, ['whole', 'inner']],
    [{ byName: { a: { open: CREDENTIAL } } }, ['byName', 'a', 'open']],
    [{ byName: { [CREDENTIAL]: { open: 'a' } } }, ['byName']],
    [{ one: { open: CREDENTIAL } }, ['one', 'open']],
    [{ many: [{ open: 'a' }, { open: CREDENTIAL }] }, ['many', 1, 'open']],
  ])('the secret is found in %j', (value, path) => {
    expect(exposure(value)).toEqual({ path, isCredential: true });
  });

  test("the object's own secret is allowed in a sensitive attribute", () => {
    expect(exposure({ sensitive: OWN, byName: { a: { sensitive: OWN } } })).toBeUndefined();
    expect(exposure({ open: OWN })).toEqual({ path: ['open'], isCredential: false });
  });

  test.each<ObjectValue>([
    { open: null },
    { open: UNKNOWN },
    { whole: { open: 'open', inner: {} } },
    { names: [], one: null, many: [] },
  ])('the secret is not found in %j', (value) => {
    expect(exposure(value)).toBeUndefined();
  });
});

describe('a secret that the user already sees elsewhere', () => {
  test.each<[what: string, value: ObjectValue, given: ObjectValue, isExposed: boolean]>([
    ['the same text', { open: OWN }, { open: OWN }, false],
    ['a text that contains it', { open: `${OWN}!` }, { names: [`<${OWN}>`] }, false],
    ['a write-only value does not count', { open: OWN }, { wo: OWN }, true],
    ['a sensitive value does not count for others', { open: OWN }, { sensitive: OWN }, true],
    ['a sensitive value counts for itself', { sensitive: CREDENTIAL }, { sensitive: CREDENTIAL }, false],
    ['a short secret is only allowed in an equal text', { count: 31337 }, { open: '<31337>' }, true],
  ])('the secret is allowed or refused: %s', (_, value, given, isExposed) => {
    expect(exposure(value, given) !== undefined).toBe(isExposed);
  });

  test('the secret is allowed if the request contains it', () => {
    expect(shownIn({ id: `us//${OWN}` })(OWN, false)).toBe(true);
    expect(shownIn({ id: 'us//other' })(OWN, false)).toBe(false);
  });
});

describe('the server with a credential', () => {
  interface Data {
    readonly mask: (secret: string) => void;
  }
  const { resource } = definitions<Data>();
  const SHAPE = {
    attributes: {
      name: string({ required: true }),
      pin: string({ optional: true, writeOnly: true }),
      text: string({ computed: true }),
      note: string({ computed: true }),
    },
  };
  const thing = resource({
    name: 'thing',
    schema: SHAPE,
    create: ({ plan }, { keep, diagnostics }) => {
      keep({ ...plan, text: OWN, note: 'kept' });
      diagnostics.error('half done');
      throw new Error(plan.name);
    },
    read({ state }, { privateState, providerData: provider, diagnostics }) {
      if (state.name === 'login') provider.mask('canary-login');
      if (state.name === 'private') privateState.set('seen', { [CREDENTIAL]: 1 });
      if (state.name === 'warning') diagnostics.warning('warned', `\u001b[2J of ${CREDENTIAL}`);
      return state.name === 'login' ? { ...state, text: 'the canary-login' } : state;
    },
    delete: () => {},
    import: ({ id }) => ({ name: id === 'leaks' ? CREDENTIAL : id! }),
  });
  const provider = defineProvider<Data, { token: ReturnType<typeof token> }>({
    name: 'test',
    version: '1.0.0',
    schema: { attributes: { token: token() } },
    configure: (_request, { mask }) => ({ mask }),
    resources: [thing],
  });
  function token() {
    return string({ optional: true, sensitive: true });
  }

  const { codec } = shapeOf(thing.schema);
  async function server(): Promise<ProviderServer> {
    const started = new ProviderServer(provider, new Redactor(), () => {});
    const config = shapeOf(provider.schema).codec.encode({ token: CREDENTIAL });
    await configureProvider(started, { terraformVersion: '1.12.0', config, clientCapabilities: undefined });
    return started;
  }
  const BEFORE = Buffer.from('{"seen":1}');
  async function read(name: string) {
    const currentState = codec.encode({ name, pin: null, text: null, note: null });
    const { diagnostics, private: kept } = await readResource(await server(), {
      typeName: 'test_thing',
      currentState,
      private: BEFORE,
      clientCapabilities: undefined,
      currentIdentity: undefined,
    });
    const shown = diagnostics.map(({ summary, detail }) => `${summary}\n${detail}`).join('\n');
    expect(shown).not.toContain('canary');
    return {
      summaries: diagnostics.map(({ summary }) => summary),
      kept: Buffer.from(kept).toString(),
      shown,
    };
  }

  test('a credential that was received after the configuration is refused', async () => {
    expect((await read('login')).summaries).toEqual(['text contains a credential of the provider']);
  });

  test('an import that finds a credential is refused, unless the import contains it', async () => {
    const imported = async (id: string) => {
      const request = { typeName: 'test_thing', id, identity: undefined, clientCapabilities: undefined };
      const { diagnostics, importedResources } = await importResourceState(await server(), request);
      return [diagnostics.map(({ summary }) => summary), importedResources.length];
    };
    expect(await imported('leaks')).toEqual([['name contains a credential of the provider'], 0]);
    expect(await imported(CREDENTIAL)).toEqual([[], 1]);
  });

  test('the previous private state is kept if the new one contains a secret', async () => {
    expect(await read('private')).toMatchObject({
      summaries: ['private.seen contains a credential of the provider'],
      kept: '{"seen":1}',
    });
  });

  test('secrets in warnings are hidden, and control characters shown as escapes', async () => {
    expect((await read('warning')).shown).toBe('warned\n\\u001b[2J of (hidden)');
  });

  test('the state that a failed handler kept is stored without the secrets', async () => {
    const values = { name: 'half', pin: OWN, text: null, note: null };
    const { newState, diagnostics } = await applyResourceChange(await server(), {
      typeName: 'test_thing',
      priorState: NULL_VALUE,
      plannedState: codec.encode({ ...values, pin: null, text: UNKNOWN, note: UNKNOWN }),
      config: codec.encode(values),
      plannedPrivate: new Uint8Array(0),
      plannedIdentity: undefined,
    });
    expect(codec.decode(newState)).toEqual({ name: 'half', pin: null, text: null, note: 'kept' });
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      'half done',
      'Provider failed unexpectedly',
      'text contains a secret of this object',
    ]);
  });
});
