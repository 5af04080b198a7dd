import type { AuditDevice, CallOptions, KeyList, VaultClient, VaultResponse } from '../client';
import { IMMUTABLE_POLICIES, MANAGED_KEY_TYPES, type ManagedKeyTypeName } from '../model';

/** An object in a server's list: the end of its path, and the other facts in the list. */
export interface FoundObject {
  readonly name: string;
}

interface FoundManagedKey extends FoundObject {
  readonly type: ManagedKeyTypeName;
}

/** An audit device, which servers list with all of its fields. */
interface FoundAuditDevice extends FoundObject {
  readonly device: AuditDevice;
}

/** Finds the manageable objects of a kind in the namespace of a client, sorted by their names. */
export type Find<F extends FoundObject = FoundObject> = (
  client: VaultClient,
  options?: CallOptions,
) => Promise<VaultResponse<readonly F[]>>;

/** The policies that the server created for itself are left out, because they cannot be managed. */
export const findAclPolicies = byName(
  ({ policies }, options) => policies.acl.list(options),
  (name) => !IMMUTABLE_POLICIES.includes(name),
);
export const findRgpPolicies = byName(({ policies }, options) => policies.rgp.list(options));
export const findEgpPolicies = byName(({ policies }, options) => policies.egp.list(options));
export const findAutoSnapshots = byName(({ autoSnapshots }, options) => autoSnapshots.list(options));

/** Finds the namespaces directly below that of the client, by their names. */
export const findNamespaces = byName(({ namespaces }, options) => namespaces.list(options));

/** Finds the managed keys of all backends that the server supports. */
export const findManagedKeys: Find<FoundManagedKey> = async ({ managedKeys }, options) => {
  const response = await managedKeys.listAll(options);
  const keys = MANAGED_KEY_TYPES.flatMap((type) =>
    inNaturalOrder(response.data[type].map((name) => ({ type, name }))),
  );
  return { ...response, data: keys };
};

/** Finds the audit devices of known types. Their names are their paths. */
export const findAuditDevices: Find<FoundAuditDevice> = async ({ auditDevices }, options) => {
  const response = await auditDevices.readAll(options);
  const devices = response.data.map((device) => ({ name: device.path, device }));
  return { ...response, data: inNaturalOrder(devices) };
};

function byName(
  list: (client: VaultClient, options?: CallOptions) => Promise<VaultResponse<KeyList>>,
  isManageable: (name: string) => boolean = () => true,
): Find {
  return async (client, options) => {
    const response = await list(client, options);
    const found = response.data.keys.filter(isManageable).map((name) => ({ name }));
    return { ...response, data: inNaturalOrder(found) };
  };
}

/** The maximum number of digits; longer numbers are compared as text. */
const LONGEST_NUMBER = 20;

/** Sorts objects so that the numbers in their names count as numbers: `app-2` before `app-10`. */
function inNaturalOrder<T extends { readonly name: string }>(found: readonly T[]): readonly T[] {
  const key = (name: string) => name.replace(/\d+/g, (digits) => digits.padStart(LONGEST_NUMBER, '0'));
  const keyed = found.map((each) => ({ each, key: key(each.name) }));
  return keyed
    .sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ each }) => each);
}
