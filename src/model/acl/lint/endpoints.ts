/** The first segments of the paths below `sys/`, in Vault and Vault Enterprise. */
export const SYSTEM_PATHS: readonly string[] = [
  'activation-flags',
  'audit',
  'audit-hash',
  'auth',
  'capabilities',
  'capabilities-accessor',
  'capabilities-self',
  'config',
  'control-group',
  'decode-token',
  'events',
  'experiments',
  'generate-recovery-token',
  'generate-root',
  'ha-status',
  'health',
  'host-info',
  'in-flight-req',
  'init',
  'internal',
  'key-status',
  'leader',
  'leases',
  'license',
  'locked-users',
  'loggers',
  'managed-keys',
  'metrics',
  'mfa',
  'monitor',
  'mounts',
  'namespaces',
  'plugins',
  'policies',
  'policy',
  'pprof',
  'quotas',
  'raw',
  'rekey',
  'rekey-recovery-key',
  'remount',
  'renew',
  'replication',
  'revoke',
  'revoke-force',
  'revoke-prefix',
  'rotate',
  'seal',
  'seal-backend-status',
  'seal-status',
  'sealwrap',
  'step-down',
  'storage',
  'sync',
  'tools',
  'unseal',
  'utilization-report',
  'version-history',
  'well-known',
  'wrapping',
];

/**
 * The paths below `sys/` that are not endpoints but have some below them, with the paths that are
 * probably meant.
 */
export const SYSTEM_FOLDERS: ReadonlyMap<string, string> = new Map([
  ['sys/policies', '"sys/policies/acl", "sys/policies/rgp" or "sys/policies/egp"'],
  ['sys/plugins', '"sys/plugins/catalog"'],
  ['sys/config', 'the intended path, such as "sys/config/ui/headers"'],
  ['sys/internal', 'the intended path, such as "sys/internal/ui/mounts"'],
  ['sys/storage', 'the intended path, such as "sys/storage/raft/snapshot"'],
  ['sys/wrapping', 'the intended path, such as "sys/wrapping/wrap"'],
]);

/** The endpoints that return a list, but need `read`. */
export const READ_AS_LISTS: readonly string[] = ['sys/mounts', 'sys/auth', 'sys/audit'];

/** The endpoints that can only be written and never create anything: they need `update`. */
export const UPDATED_PATHS: readonly string[] = [
  'auth/token/create',
  'auth/token/create-orphan',
  'auth/token/create/+',
  'auth/token/lookup-accessor',
  'auth/token/renew',
  'auth/token/renew-accessor',
  'auth/token/renew-self',
  'auth/token/revoke',
  'auth/token/revoke-accessor',
  'auth/token/revoke-orphan',
  'auth/token/revoke-self',
  'sys/capabilities',
  'sys/capabilities-accessor',
  'sys/capabilities-self',
  'sys/leases/lookup',
  'sys/leases/renew',
  'sys/leases/revoke',
  'sys/leases/revoke-force/*',
  'sys/leases/revoke-prefix/*',
  'sys/remount',
  'sys/wrapping/rewrap',
  'sys/wrapping/unwrap',
  'sys/wrapping/wrap',
];

/** The endpoints of secrets engines that need `update`, by the type of engine, below the mount. */
export const UPDATED_PATHS_OF_ENGINES: Readonly<Record<string, readonly string[]>> = {
  pki: ['issue/+', 'sign/+', 'sign-verbatim', 'sign-verbatim/+', 'revoke', 'tidy'],
  transit: ['decrypt/+', 'rewrap/+', 'sign/+', 'verify/+', 'hmac/+'],
};

/** The endpoints that need no token, so that no policy is evaluated. */
export const OPEN_PATHS: readonly string[] = [
  'sys/health',
  'sys/init',
  'sys/leader',
  'sys/seal-status',
  'sys/unseal',
  'auth/+/login',
  'auth/+/login/*',
];

/** The paths of a KV 2 mount: everything else below it does not exist. */
export const KV2_PATHS: readonly string[] = [
  'config',
  'data',
  'delete',
  'destroy',
  'metadata',
  'subkeys',
  'undelete',
];
