import { ifOffered, unlessDenied } from '../clusters/clients';
import { objectStatus } from './objects/object-status';
import {
  snapshotHealth,
  type SnapshotHealth,
  type SnapshotStatus,
  MANAGED_KEY_TYPES,
  type ManagedKeyTypeName,
} from '../../model';
import { snapshotProblem, keyDoesNotSign, keyTitle } from '../../view/messages';
import { VaultError, type VaultClient } from '../../client';
import { namespacesOf } from '../clusters/namespaces-of-cluster';
import { isEnterprise } from '../../model/versions';

interface KeyName {
  /** The namespace; empty for the namespace of the cluster's settings. */
  readonly namespace: string;
  readonly type: ManagedKeyTypeName;
  readonly name: string;
}

interface KeyState extends KeyName {
  /**
   * The result of a test signature, if requested: null if it succeeded, otherwise the server's
   * reason.
   */
  readonly test_sign_error?: string | null;
}

const MANAGED_KEYS = objectStatus({
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

interface SnapshotState {
  readonly name: string;
  readonly status: SnapshotStatus;
  readonly health: SnapshotHealth;
}

/** Automated snapshots are in the root namespace, on servers that store in Raft. */
const AUTO_SNAPSHOTS = objectStatus({
  key: 'auto_snapshots',
  title: 'automated snapshots',

  read: async ({ client: { autoSnapshots } }, { now }): Promise<readonly SnapshotState[]> => {
    const list = await ifOffered(autoSnapshots.list());
    return Promise.all(
      (list?.data.keys ?? []).map(async (name) => {
        const [configuration, status] = await Promise.all([
          autoSnapshots.read(name),
          autoSnapshots.status(name),
        ]);
        const data = status?.data ?? {};
        return { name, status: data, health: snapshotHealth(data, configuration?.data.interval ?? 0, now) };
      }),
    );
  },

  line: ({ name, status, health }: SnapshotState) => {
    const last = status.last_snapshot_url ? `, last ${status.last_snapshot_url}` : '';
    return `automated snapshot ${name}: ${health.state}${last}`;
  },

  problems: ({ name, health }: SnapshotState) => [snapshotProblem(name, health) ?? []].flat(),
});

/** An audit device with its fields, as in `vaultadmin_audit_device`. */
interface AuditDeviceState {
  readonly path: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Audit devices are in the root namespace, and only shown to tokens with sudo: for other tokens,
 * there is no list.
 */
const AUDIT_DEVICES = objectStatus({
  key: 'audit_devices',
  title: 'audit devices',

  read: async ({ client }): Promise<readonly AuditDeviceState[] | undefined> => {
    const devices = await ifOffered(unlessDenied(client.auditDevices.readAll()));
    return devices?.data.map((device) => ({ ...device }));
  },

  line: ({ path, type }: AuditDeviceState) => `audit device ${path}: ${type}`,

  problems: () => [],
});

/** The kinds of objects that are shown for a cluster, in this order. */
export const OBJECTS = [MANAGED_KEYS, AUTO_SNAPSHOTS, AUDIT_DEVICES] as const;

/**
 * The states of the objects of a cluster, by kind. Objects that could not be read, or are hidden,
 * are absent.
 */
export interface ObjectStates {
  readonly managed_keys?: readonly KeyState[] | undefined;
  readonly auto_snapshots?: readonly SnapshotState[] | undefined;
  readonly audit_devices?: readonly AuditDeviceState[] | undefined;
}

async function testKey(client: VaultClient, key: KeyName): Promise<KeyState> {
  try {
    await client.managedKeys.testSign(key.type, key.name);
    return { ...key, test_sign_error: null };
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    return { ...key, test_sign_error: error.message };
  }
}
