export type { Data, KeyList, Lease, TokenGrant, VaultResponse, WrapInfo } from './answer/responses';
export type { CallOptions, RequestOptions, WriteOptions } from './call-options';
export { VaultError, type VaultErrorCode } from './vault-error';
export type {
  AppRoleLogin,
  AuthCalls,
  CertLogin,
  JwtLogin,
  Login,
  LoginOptions,
  UserpassLogin,
} from './groups/auth';
export type { AuditDevice, AuditDeviceCalls, AuditDeviceFields } from './groups/audit-devices';
export type { AutoSnapshot, AutoSnapshotCalls, AutoSnapshotFields } from './groups/auto-snapshots';
export type { LoadedSnapshotCalls, LoadOptions, RecoverOptions } from './groups/loaded-snapshots';
export type { ManagedKey, ManagedKeyCalls, ManagedKeyNames, TestSignOptions } from './groups/managed-keys';
export type { NamespaceCalls, NamespaceFields, StoredNamespace } from './groups/namespaces';
export type {
  AclPolicyFields,
  EgpPolicyCalls,
  EgpPolicyFields,
  EgpPolicyList,
  Named,
  Policies,
  PolicyCalls,
  PolicyPath,
  RgpPolicyFields,
} from './groups/policies';
export type { Health, Initialization, InitRequest, Leader, SealStatus, SystemCalls } from './groups/system';
export type { TokenCalls, TokenInfo } from './groups/tokens';
export type { WrappingCalls, WrappingInfo } from './groups/wrapping';
export type { ClientOptions, TlsOptions, TokenSource, Warning } from './options/client-options';
export { clientOptionsFromEnvironment, type Environment } from './options/environment';
export * from './replication';
export { LoginTokens } from './tokens/login-tokens';
export { SYSTEM_CLOCK, type Clock, type Seconds } from './transport/clock';
export { VaultClient } from './vault-client';
