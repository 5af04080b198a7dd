import { VaultError, type VaultClient } from '../../../client';
import { MANAGED_KEY_TYPES, type ManagedKeyTypeName } from '../../../model';
import { namespacesOf } from '../../clusters/namespaces';
import { isEnterprise } from '../../../model/versions';
import { keyDoesNotSign, keyTitle } from '../../../view/messages';
import { objectStatus } from './object-status';

interface KeyName {
  /** Empty for the namespace of the cluster's settings. */
  readonly namespace: string;
  readonly type: ManagedKeyTypeName;
  readonly name: string;
}

export interface KeyState extends KeyName {
  /** The result of a test signature, if requested: null if it succeeded, otherwise the server's reason. */
  readonly test_sign_error?: string | null;
}

export const MANAGED_KEYS = objectStatus({
  key: 'managed_keys',
  title: 'managed keys',

  read: async ({ cluster, version, notes }, { namespaces, testKeys }): Promise<readonly KeyState[]> => {
    if (!isEnterprise(version)) return [];
    const byNamespace = await Promise.all(
      (await namespacesOf(cluster, namespaces, notes)).map(async (namespace) => {
        const client = await cluster.client(namespace);
        const { data: names } = await client.managedKeys.listAll();
        const keys = MANAGED_KEY_TYPES.flatMap((type) =>
          names[type].map((name) => ({ namespace, type, name })),
        );
        return testKeys ? Promise.all(keys.map((key) => testKey(client, key))) : keys;
      }),
    );
    return byNamespace.flat();
  },

  line: ({ namespace, type, name, test_sign_error: error }: KeyState) => {
    const tested = error === undefined ? '' : error === null ? ': signs' : ': does not sign';
    return `managed key ${keyTitle(`${type}/${name}`, namespace)}${tested}`;
  },

  problems: ({ type, name, namespace, test_sign_error: error }: KeyState) =>
    typeof error === 'string' ? [keyDoesNotSign(`${type}/${name}`, namespace, error)] : [],
});

async function testKey(client: VaultClient, key: KeyName): Promise<KeyState> {
  try {
    await client.managedKeys.testSign(key.type, key.name);
    return { ...key, test_sign_error: null };
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    return { ...key, test_sign_error: error.message };
  }
}
