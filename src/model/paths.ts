/**
 * The paths of the calls on each kind of object, below `/v1/`. They are in a separate file, so that
 * code that only needs the paths does not load the definitions of all objects.
 */
export const ACL_POLICY_PATH = 'sys/policies/acl';
export const RGP_POLICY_PATH = 'sys/policies/rgp';
export const EGP_POLICY_PATH = 'sys/policies/egp';
export const MANAGED_KEY_PATH = 'sys/managed-keys';
export const AUDIT_DEVICE_PATH = 'sys/audit';
export const MOUNTS_PATH = 'sys/mounts';
export const NAMESPACE_PATH = 'sys/namespaces';
export const AUTO_SNAPSHOT_PATH = 'sys/storage/raft/snapshot-auto/config';
/** The path of the statuses of automated snapshots. The name of a configuration follows it. */
export const SNAPSHOT_STATUS_PATH = 'sys/storage/raft/snapshot-auto/status';
/**
 * The path of the call that loads a snapshot from the storage of a configuration. The name of the
 * configuration follows it.
 */
export const AUTO_SNAPSHOT_LOAD_PATH = 'sys/storage/raft/snapshot-auto/snapshot-load';
export const SNAPSHOT_LOAD_PATH = 'sys/storage/raft/snapshot-load';
