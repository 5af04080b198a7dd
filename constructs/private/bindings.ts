export { Audit as UpstreamAudit } from '@cdktf/provider-vault/lib/audit';
export { EgpPolicy as UpstreamEgpPolicy } from '@cdktf/provider-vault/lib/egp-policy';
export { Policy as UpstreamPolicy, type PolicyConfig } from '@cdktf/provider-vault/lib/policy';
export {
  RaftSnapshotAgentConfig as UpstreamSnapshot,
  type RaftSnapshotAgentConfigConfig,
} from '@cdktf/provider-vault/lib/raft-snapshot-agent-config';
export { RgpPolicy as UpstreamRgpPolicy } from '@cdktf/provider-vault/lib/rgp-policy';
export { AclPolicy as VaultadminAclPolicy } from '../generated/providers/vaultadmin/acl-policy';
export {
  AuditDevice as VaultadminAuditDevice,
  type AuditDeviceConfig,
} from '../generated/providers/vaultadmin/audit-device';
export {
  AutoSnapshot as VaultadminAutoSnapshot,
  type AutoSnapshotConfig,
} from '../generated/providers/vaultadmin/auto-snapshot';
export {
  DataVaultadminAutoSnapshotStatus,
  type DataVaultadminAutoSnapshotStatusConfig,
} from '../generated/providers/vaultadmin/data-vaultadmin-auto-snapshot-status';
export { EgpPolicy as VaultadminEgpPolicy } from '../generated/providers/vaultadmin/egp-policy';
export { ManagedKey as VaultadminManagedKey } from '../generated/providers/vaultadmin/managed-key';
export { Namespace as VaultadminNamespace } from '../generated/providers/vaultadmin/namespace';
export {
  PerfReplicationSet as VaultadminSet,
  perfReplicationSetSecondariesToTerraform,
} from '../generated/providers/vaultadmin/perf-replication-set';
export { RgpPolicy as VaultadminRgpPolicy } from '../generated/providers/vaultadmin/rgp-policy';
