import { startReattachServer, types, UNKNOWN, type ReattachServer } from '../../src/plugin';
import { contentOf, contentType } from '../../src/plugin/server/content';
import { NULL_VALUE, valueCodec } from '../../src/plugin/wire/dynamic-value';
import { Deferred_Reason, Diagnostic_Severity } from '../../src/plugin/wire/generated/tfplugin6';
import { temporaryFolder } from '../support/temporary-folder';
import { ADDRESS, fixtureProvider } from './fixture/provider';
import { shapes } from './fixture/shapes';
import { thing } from './fixture/thing';
import { codecOf, ProtocolClient } from './support/client';

let folder: string;
let server: ReattachServer;
let client: ProtocolClient;
beforeEach(async () => {
  folder = temporaryFolder('world');
  server = await startReattachServer(fixtureProvider(folder), ADDRESS);
  const reattach = JSON.parse(server.env.TF_REATTACH_PROVIDERS) as Record<
    string,
    { Addr: { String: string } }
  >;
  client = await ProtocolClient.connect(reattach[ADDRESS]!.Addr.String);
});
afterEach(async () => {
  client.close();
  await server.close();
});

const provider = codecOf({ secret: types.string, servers: types.map(types.object({})) });
const things = valueCodec(contentType(contentOf(thing.schema)));
const DEFERRAL = { deferralAllowed: true, writeOnlyAttributesAllowed: true };

const CONFIG = {
  id: null,
  name: 'alpha',
  size: null,
  note: null,
  old_note: null,
  secret: null,
  password: null,
  password_version: null,
  behavior: null,
  protected: null,
  revision: null,
};

function configure(secret: unknown = null, clientCapabilities = { ...DEFERRAL, deferralAllowed: false }) {
  return client.call('configureProvider', {
    terraformVersion: '1.12.0',
    config: provider.encode({ secret, servers: null }),
    clientCapabilities,
  });
}

describe('the services', () => {
  test('all resources and other objects are listed', async () => {
    const { resources, dataSources, functions, ephemeralResources, serverCapabilities } = await client.call(
      'getMetadata',
      {},
    );
    expect(resources.map(({ typeName }) => typeName)).toEqual([
      'fixture_thing',
      'fixture_shapes',
      'fixture_gadget',
    ]);
    expect(dataSources).toEqual([{ typeName: 'fixture_thing' }]);
    expect(ephemeralResources).toEqual([{ typeName: 'fixture_ticket' }]);
    expect(functions).toEqual([{ name: 'shout' }]);
    expect(serverCapabilities).toEqual({
      planDestroy: true,
      getProviderSchemaOptional: true,
      moveResourceState: true,
      generateResourceConfig: true,
    });
    expect(Object.keys((await client.call('getFunctions', {})).functions)).toEqual(['shout']);
  });

  test('the health check succeeds, also after a shutdown in reattach mode', async () => {
    expect(await client.callRaw('/plugin.GRPCController/Shutdown', Buffer.alloc(0))).toEqual(Buffer.alloc(0));
    expect(await client.callRaw('/grpc.health.v1.Health/Check', Buffer.alloc(0))).toEqual(
      Buffer.from([8, 1]),
    );
  });

  test('unknown calls and damaged messages are refused', async () => {
    await expect(client.callRaw('/tfplugin6.Provider/ReadStateBytes', Buffer.alloc(0))).rejects.toMatchObject(
      {
        status: 12,
        message: 'unknown method /tfplugin6.Provider/ReadStateBytes',
      },
    );
    await expect(client.callRaw('/tfplugin6.Provider/ReadResource', Buffer.from([1]))).rejects.toMatchObject({
      status: 13,
    });
  });

  test('unknown types are refused', async () => {
    await expect(client.call('readResource', { typeName: 'fixture_none' })).rejects.toMatchObject({
      status: 13,
      message: 'Error: the provider fixture has no fixture_none',
    });
  });
});

describe('the identity of resources', () => {
  const identity = codecOf({ name: types.string });
  const identityData = identity.encode({ name: 'alpha' });

  test("the identity's schema is described", async () => {
    const { identitySchemas } = await client.call('getResourceIdentitySchemas', {});
    expect(Object.keys(identitySchemas)).toEqual(['fixture_thing']);
    const [attribute] = identitySchemas.fixture_thing!.identityAttributes;
    expect(attribute).toMatchObject({
      name: 'name',
      requiredForImport: true,
      optionalForImport: false,
      description: 'Its name.',
    });
  });

  test('created and read objects have their identity', async () => {
    await configure();
    const planned = { ...CONFIG, id: UNKNOWN, size: 1, protected: UNKNOWN, revision: 1 };
    const applied = await client.call('applyResourceChange', {
      typeName: 'fixture_thing',
      priorState: NULL_VALUE,
      plannedState: things.encode(planned),
      config: things.encode(CONFIG),
    });
    expect(applied.diagnostics).toEqual([]);
    expect(identity.decode(applied.newIdentity!.identityData)).toEqual({ name: 'alpha' });
    const read = await client.call('readResource', {
      typeName: 'fixture_thing',
      currentState: applied.newState,
      private: applied.private,
    });
    expect(identity.decode(read.newIdentity!.identityData)).toEqual({ name: 'alpha' });
  });

  test('an import by identity finds the object', async () => {
    await configure();
    const { importedResources } = await client.call('importResourceState', {
      typeName: 'fixture_thing',
      identity: { identityData },
    });
    expect(things.decode(importedResources[0]!.state)).toEqual({ ...CONFIG, name: 'alpha' });
    expect(importedResources[0]!.identity).toEqual({ identityData });
  });

  test('an older identity is upgraded', async () => {
    const upgrade = (version: number) =>
      client.call('upgradeResourceIdentity', {
        typeName: 'fixture_thing',
        version,
        rawIdentity: { json: Buffer.from('{"name":"alpha"}') },
      });
    expect(identity.decode((await upgrade(0)).upgradedIdentity!.identityData)).toEqual({ name: 'alpha' });
    expect((await upgrade(3)).diagnostics[0]!.detail).toBe(
      'It has version 3 of the schema, this provider has 0. It was written by a newer version of the provider: ' +
        'use that version or a later one.',
    );
  });
});

describe('the configuration of imported objects', () => {
  test('computed, deprecated and default values are left out', async () => {
    const generate = async (state: object) => {
      const { config, diagnostics } = await client.call('generateResourceConfig', {
        typeName: 'fixture_thing',
        state: things.encode(state),
      });
      expect(diagnostics).toEqual([]);
      return things.decode(config);
    };
    const state = {
      ...CONFIG,
      id: 'alpha',
      size: 1,
      note: '',
      old_note: 'of old',
      secret: 'kept',
      password_version: 1,
      protected: false,
      revision: 3,
    };
    const config = { ...CONFIG, note: '', secret: 'kept', password_version: 1, protected: false };
    expect(await generate(state)).toEqual(config);
    expect(await generate({ ...state, size: 2 })).toEqual({ ...config, size: 2 });
  });

  test('computed and default values in objects and blocks are left out', async () => {
    const codec = valueCodec(contentType(contentOf(shapes.schema)));
    const nothing = Object.fromEntries(Object.keys(shapes.schema.attributes).map((name) => [name, null]));
    const state = {
      ...nothing,
      id: 'shapes',
      chosen: 'by the provider',
      labels: { made: 'default' },
      settings: { mode: 'fast', level: 3, token: 'secret', deep: { value: 'x' } },
      rules: [{ path: 'a', rank: 0 }],
      limits: { disk: { most: 1, unit: 'byte' }, memory: { most: 2, unit: 'page' } },
      parts: [{ name: 'wheel', weight: null }],
      option: null,
      listener: [{ port: 80, address: '127.0.0.1:80', tls: { file: 'a.pem' } }],
      peer: [{ host: 'b' }],
    };
    const { config } = await client.call('generateResourceConfig', {
      typeName: 'fixture_shapes',
      state: codec.encode(state),
    });
    expect(codec.decode(config)).toEqual({
      ...state,
      id: null,
      labels: null,
      settings: { mode: 'fast', level: null, token: null, deep: { value: 'x' } },
      rules: [{ path: 'a', rank: null }],
      limits: { disk: { most: 1, unit: null }, memory: { most: 2, unit: 'page' } },
      listener: [{ port: 80, address: null, tls: { file: 'a.pem' } }],
    });
  });
});

describe('a deferred resource', () => {
  const plan = (config: object, clientCapabilities = DEFERRAL) =>
    client.call('planResourceChange', {
      typeName: 'fixture_thing',
      priorState: NULL_VALUE,
      proposedNewState: things.encode(config),
      config: things.encode(config),
      clientCapabilities,
    });

  test('a resource is deferred if its handler defers it', async () => {
    await configure();
    const { deferred, plannedState, diagnostics } = await plan({ ...CONFIG, behavior: 'defer' });
    expect(diagnostics).toEqual([]);
    expect(deferred).toEqual({ reason: Deferred_Reason.ABSENT_PREREQ });
    expect(things.decode(plannedState)).toMatchObject({ name: 'alpha', id: UNKNOWN });
  });

  test('a deferral is an error if Terraform does not allow it', async () => {
    await configure();
    const { deferred, diagnostics } = await plan(
      { ...CONFIG, behavior: 'defer' },
      { ...DEFERRAL, deferralAllowed: false },
    );
    expect(deferred).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: Diagnostic_Severity.ERROR, summary: 'Not enough is known yet' },
    ]);
  });

  test('a deferred provider defers all resources', async () => {
    expect((await configure(UNKNOWN, DEFERRAL)).diagnostics).toEqual([]);
    const deferred = { reason: Deferred_Reason.PROVIDER_CONFIG_UNKNOWN };
    expect((await plan(CONFIG)).deferred).toEqual(deferred);
    const state = things.encode({ ...CONFIG, id: 'alpha' });
    expect(
      await client.call('readResource', { typeName: 'fixture_thing', currentState: state }),
    ).toMatchObject({
      deferred,
      newState: state,
    });
    const source = codecOf({ name: types.string, note: types.string, names: types.string });
    const config = source.encode({ name: 'x', note: null, names: null });
    expect(await client.call('readDataSource', { typeName: 'fixture_thing', config })).toMatchObject({
      deferred,
    });
    const ticket = codecOf({ holder: types.string, lifetime: types.integer, token: types.string });
    expect(
      await client.call('openEphemeralResource', {
        typeName: 'fixture_ticket',
        config: ticket.encode({ holder: 'x', lifetime: null, token: null }),
      }),
    ).toMatchObject({ deferred });
  });
});

test('write-only arguments are refused if Terraform is too old', async () => {
  const validate = (writeOnlyAttributesAllowed: boolean) =>
    client.call('validateResourceConfig', {
      typeName: 'fixture_thing',
      config: things.encode({ ...CONFIG, password: 'x' }),
      clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed },
    });
  expect((await validate(true)).diagnostics).toEqual([]);
  expect((await validate(false)).diagnostics).toMatchObject([
    { detail: 'This Terraform would store the write-only argument password. Use Terraform 1.11 or later.' },
  ]);
});

test('an ephemeral resource returns the time of its renewal, and passes on its private data', async () => {
  await configure();
  const ticket = codecOf({ holder: types.string, lifetime: types.integer, token: types.string });
  const opened = await client.call('openEphemeralResource', {
    typeName: 'fixture_ticket',
    config: ticket.encode({ holder: 'me', lifetime: 5000, token: null }),
  });
  expect(ticket.decode(opened.result)).toEqual({
    holder: 'me',
    lifetime: 5000,
    token: 'ticket-secret-of-me',
  });
  const untilRenewal = opened.renewAt!.getTime() - Date.now();
  expect(untilRenewal).toBeGreaterThan(0);
  expect(untilRenewal).toBeLessThanOrEqual(5000);

  const renewed = await client.call('renewEphemeralResource', {
    typeName: 'fixture_ticket',
    private: opened.private,
  });
  expect(renewed.renewAt!.getTime()).toBeGreaterThanOrEqual(opened.renewAt!.getTime());
  expect(renewed.private).toEqual(opened.private);
  await client.call('closeEphemeralResource', { typeName: 'fixture_ticket', private: opened.private });
});

test('a stop aborts running handlers, and handlers that start before the next configuration', async () => {
  await configure();
  const planned = { ...CONFIG, id: UNKNOWN, size: 1, behavior: 'hang', protected: UNKNOWN, revision: 1 };
  const apply = (name: string) =>
    client.call('applyResourceChange', {
      typeName: 'fixture_thing',
      priorState: NULL_VALUE,
      plannedState: things.encode({ ...planned, name }),
      config: things.encode({ ...CONFIG, name, behavior: 'hang' }),
    });
  const applying = apply('alpha');
  // The answer to this call shows that the previous call has reached its handler.
  await client.call('getMetadata', {});
  expect(await client.call('stopProvider', {})).toEqual({ error: '' });
  const { diagnostics, newState } = await applying;
  expect(diagnostics).toMatchObject([{ summary: 'Stopped' }]);
  expect(things.decode(newState)).toMatchObject({ id: 'alpha', protected: false });

  expect((await apply('beta')).diagnostics).toMatchObject([{ summary: 'Stopped' }]);

  await configure();
  const later = apply('gamma');
  await client.call('getMetadata', {});
  await client.call('stopProvider', {});
  expect((await later).diagnostics).toMatchObject([{ summary: 'Stopped' }]);
});
