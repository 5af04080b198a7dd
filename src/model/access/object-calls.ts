import { MANAGED_KEY_TYPES } from '../managed-keys';
import {
  ACL_POLICY_PATH,
  AUDIT_DEVICE_PATH,
  AUTO_SNAPSHOT_LOAD_PATH,
  AUTO_SNAPSHOT_PATH,
  EGP_POLICY_PATH,
  MANAGED_KEY_PATH,
  NAMESPACE_PATH,
  RGP_POLICY_PATH,
  SNAPSHOT_LOAD_PATH,
  SNAPSHOT_STATUS_PATH,
} from '../paths';
import type { ApiCall } from './api-call';

/** The calls on a kind of object that is stored under a name. */
interface StoredObjectCalls {
  readonly read: ApiCall;
  readonly write: ApiCall;
  readonly delete: ApiCall;
  readonly list: ApiCall;
}

export const ACL_POLICY_CALLS = stored(ACL_POLICY_PATH);
export const RGP_POLICY_CALLS = stored(RGP_POLICY_PATH);
export const EGP_POLICY_CALLS = stored(EGP_POLICY_PATH);

/** The calls on managed keys. Paths need `type` and `name`. */
export const MANAGED_KEY_CALLS = {
  ...stored(`${MANAGED_KEY_PATH}/:type`, { creates: true }),
  testSign: { method: 'POST', path: `${MANAGED_KEY_PATH}/:type/:name/test/sign`, creates: true },
} as const satisfies Record<string, ApiCall>;

/** The calls that list the managed keys of every type, for keys whose type is not known. */
export const MANAGED_KEY_LISTS: readonly ApiCall[] = MANAGED_KEY_TYPES.map((type) => ({
  method: 'LIST',
  path: `${MANAGED_KEY_PATH}/${type}`,
}));

export const AUTO_SNAPSHOT_CALLS = {
  ...stored(AUTO_SNAPSHOT_PATH, { sudo: true }),
  status: { method: 'GET', path: `${SNAPSHOT_STATUS_PATH}/:name` },
} as const satisfies Record<string, ApiCall>;

/**
 * The calls on loaded snapshots. Their path has `+` for the id, which is known only after loading.
 */
export const SNAPSHOT_LOAD_CALLS = {
  load: { method: 'POST', path: SNAPSHOT_LOAD_PATH },
  loadAutomated: { method: 'POST', path: `${AUTO_SNAPSHOT_LOAD_PATH}/:auto_snapshot` },
  lastUrl: { method: 'GET', path: `${SNAPSHOT_STATUS_PATH}/:auto_snapshot` },
  read: { method: 'GET', path: `${SNAPSHOT_LOAD_PATH}/+` },
  unload: { method: 'DELETE', path: `${SNAPSHOT_LOAD_PATH}/+` },
  readSecret: { method: 'GET', path: ':path' },
} as const satisfies Record<string, ApiCall>;

/**
 * The calls on audit devices. Servers have no call that reads one device, so the list is read.
 * Paths need `path`.
 */
export const AUDIT_DEVICE_CALLS = {
  ...stored(AUDIT_DEVICE_PATH, { sudo: true }, 'path'),
  read: { method: 'GET', path: AUDIT_DEVICE_PATH, sudo: true },
  list: { method: 'GET', path: AUDIT_DEVICE_PATH, sudo: true },
} as const satisfies StoredObjectCalls;

/**
 * The calls on namespaces. A write to an existing namespace replaces its metadata; a patch changes
 * the metadata. Paths need `path`.
 */
export const NAMESPACE_CALLS = {
  ...stored(NAMESPACE_PATH, { creates: true }, 'path'),
  patch: { method: 'PATCH', path: `${NAMESPACE_PATH}/:path` },
} as const satisfies Record<string, ApiCall>;

/** The call that hashes a value as the entries of an audit device do. The path needs `path`. */
export const AUDIT_HASH_CALL: ApiCall = { method: 'POST', path: 'sys/audit-hash/:path' };

/** Returns the calls of a Terraform resource that manages an object. */
export function managing({ read, write, delete: remove }: StoredObjectCalls): readonly ApiCall[] {
  return [read, write, remove];
}

function stored(
  folder: string,
  { creates, ...common }: Pick<ApiCall, 'sudo' | 'creates'> = {},
  name = 'name',
) {
  const path = `${folder}/:${name}`;
  return {
    read: { ...common, method: 'GET', path },
    write: { ...common, method: 'POST', path, ...(creates && { creates }) },
    delete: { ...common, method: 'DELETE', path },
    list: { ...common, method: 'LIST', path: folder },
  } as const satisfies StoredObjectCalls;
}
