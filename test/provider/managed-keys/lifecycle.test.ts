import { MANAGED_KEY_BACKENDS } from '../../../src/model';
import { providerBlock, startStack, type Stack } from '../support';
import { BACKENDS, managedKey, type BackendName, type BlockValues } from './support';

const address = 'vaultadmin_managed_key.it';
const NEUTRAL = {
  pkcs11: 'pkcs11',
  awskms: 'provAkms',
  azurekeyvault: 'provBkeyvault',
  gcpckms: 'provCckms',
};

/** By backend, a change that the server makes without replacing the key. */
const CHANGES: Readonly<Record<BackendName, BlockValues>> = {
  pkcs11: { key_label: 'other', max_parallel: 4, mechanism: '0x0009' },
  awskms: { kms_key: 'alias/other', region: 'eu-west-1', curve: 'P384' },
  azurekeyvault: { key_name: 'other', key_bits: 4096, environment: 'AZUREUSGOVERNMENTCLOUD' },
  gcpckms: { crypto_key_version: '2', algorithm: 'RSA_SIGN_PSS_2048_SHA256' },
};

describe.each<['vault' | 'neutral', version: string, BackendName[]]>([
  ['vault', '1.13.0+ent.hsm', ['pkcs11']],
  ['vault', '2.0.0+ent.hsm', ['pkcs11', 'awskms', 'azurekeyvault', 'gcpckms']],
  ['neutral', '1.21.0+ent.hsm', ['awskms', 'azurekeyvault']],
])('in the dialect %s, on version %s', (dialect, serverVersion, backends) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      dialect,
      serverVersion,
      provider: ({ clusters: { us } }) =>
        providerBlock(
          `us = { address = "${us!.address}", token = "${us!.rootToken}", dialect = "${dialect}" }`,
        ),
    });
  });
  afterAll(() => stack.close());

  test.each(backends)('a key of %s is created, updated, repaired and destroyed', async (backend) => {
    const change = CHANGES[backend];
    const path = `sys/managed-keys/${dialect === 'vault' ? backend : NEUTRAL[backend]}/signing`;
    const uuid = async () => (await stack.ask('GET', path)).data?.UUID;
    const state = async () => (await stack.workspace.state())[address];
    const first = { name: 'signing', [backend]: BACKENDS[backend] };
    const second = { ...first, any_mount: true, [backend]: { ...BACKENDS[backend], ...change } };

    // A create sends three requests: a read that shows that the name is free, the write, and a read
    // of the UUID.
    stack.resources(managedKey(first));
    expect(await stack.must('plan')).toMatchObject({ planned: { [address]: 'create' }, requests: [] });
    expect((await stack.must('apply')).requests).toEqual([`GET ${path}`, `GET ${path}`, `POST ${path}`]);
    const created = await uuid();
    expect(await state()).toEqual(
      expect.objectContaining({
        id: `us//${backend}/signing`,
        cluster: 'us',
        namespace: null,
        type: backend,
        name: 'signing',
        uuid: created,
        allow_generate_key: false,
        allow_replace_key: false,
        allow_store_key: false,
        any_mount: false,
        usages: ['sign', 'verify'],
        test_sign: null,
        [backend]: { ...DEFAULTS[backend], ...NAMES[backend], ...withoutSecrets(BACKENDS[backend]) },
      }),
    );

    // An unchanged plan sends one request.
    expect(await stack.must('plan')).toMatchObject({ planned: {}, requests: [`GET ${path}`] });

    // An update is in place, and keeps the UUID.
    stack.resources(managedKey(second));
    expect(await stack.must('apply')).toMatchObject({
      planned: { [address]: 'update' },
      requests: [`GET ${path}`, `POST ${path}`],
    });
    expect(await uuid()).toBe(created);
    expect(await stack.must('plan')).toMatchObject({ planned: {} });

    // A change by hand is shown and repaired, and other changed fields return to their defaults.
    await stack.ask('POST', path, {
      allow_store_key: 'true',
      usages: 'encrypt,random',
      any_mount: 'false',
    });
    const drifted = await stack.workspace.plan();
    expect(drifted.resource_drift?.[0]?.change.after).toMatchObject({
      allow_store_key: true,
      usages: ['encrypt', 'random'],
      any_mount: false,
    });
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'update' });
    expect((await stack.ask('GET', path)).data).toMatchObject({ allow_store_key: false, any_mount: true });
    expect(await stack.must('plan')).toMatchObject({ planned: {} });

    // A field that is removed from the configuration returns to its default.
    stack.resources(managedKey(first));
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'update' });
    expect((await stack.ask('GET', path)).data).toMatchObject({ any_mount: false });
    expect(await stack.must('plan')).toMatchObject({ planned: {} });

    // A key that was deleted by hand is created again.
    await stack.ask('DELETE', path);
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'create' });
    expect(await uuid()).not.toBe(created);

    // destroy
    expect((await stack.must('destroy')).requests).toEqual([`DELETE ${path}`, `GET ${path}`]);
    expect((await stack.ask('GET', path)).status).toBe(404);
    expect(await stack.addresses()).toEqual([]);
  });
});

/** By backend, the values of a block in which nothing is set. */
const DEFAULTS = Object.fromEntries(
  Object.values(MANAGED_KEY_BACKENDS).map(({ type, fields }) => [
    type,
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]): (readonly [string, unknown])[] =>
        field.sensitive
          ? [name, `${name}_wo`, `${name}_wo_version`].map((attribute) => [attribute, null])
          : [[name, field.default ?? null]],
      ),
    ),
  ]),
) as Readonly<Record<BackendName, object>>;

/** By backend, the names that the state has beside numbers. */
const NAMES: Readonly<Partial<Record<BackendName, object>>> = { pkcs11: { mechanism_name: 'CKM_RSA_PKCS' } };

function withoutSecrets(block: BlockValues): object {
  return Object.fromEntries(Object.entries(block).filter(([name]) => !name.endsWith('_wo')));
}
