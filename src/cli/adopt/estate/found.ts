import type { EgpPolicyFields, StoredPathsFilter } from '../../../client';
import type {
  AuditDeviceBackend,
  FieldValues,
  ManagedKeyBackend,
  ObjectDefinition,
  ObjectIdentity,
  AutoSnapshotBackend,
} from '../../../model';

/** What can be adopted, as the command line names it. */
export const KINDS = ['policies', 'managed-keys', 'snapshots', 'audit-devices', 'replication'] as const;
export type Kind = (typeof KINDS)[number];

/** A running estate, as far as it can be declared. */
export interface Estate {
  readonly clusters: readonly FoundCluster[];
  readonly sets: readonly FoundSet[];
}

/** What was found on one cluster. */
export interface FoundCluster {
  readonly name: string;
  readonly policies: readonly FoundPolicy[];
  readonly keys: readonly FoundKey[];
  readonly snapshots: readonly FoundSnapshot[];
  readonly auditDevices: readonly FoundAuditDevice[];
}

export interface FoundPolicy {
  readonly definition: ObjectDefinition;
  readonly identity: ObjectIdentity;
  /** The enforcement level and paths, if policies of this kind have them. */
  readonly fields: Pick<EgpPolicyFields, 'policy'> & Partial<EgpPolicyFields>;
}

/** An object that has a service behind it, without its secrets. */
interface FoundWithSecrets {
  readonly identity: ObjectIdentity;
  readonly fields: FieldValues;
  /** The fields in which the server holds a secret. The secrets themselves are not kept. */
  readonly secrets: readonly string[];
}

export interface FoundKey extends FoundWithSecrets {
  readonly type: ManagedKeyBackend;
}

export interface FoundSnapshot extends FoundWithSecrets {
  /** The fields are without the storage type, and without the interval. */
  readonly storage: AutoSnapshotBackend;
  /** Seconds. */
  readonly interval: number;
}

export interface FoundAuditDevice {
  /** The name is the path. */
  readonly identity: ObjectIdentity;
  readonly backend: AuditDeviceBackend;
  readonly fields: FieldValues;
}

/** A replication set whose primary was among the clusters. */
export interface FoundSet {
  readonly primary: string;
  /** Empty for the server's own. */
  readonly primaryClusterAddr: string;
  readonly secondaries: readonly FoundSecondary[];
}

export interface FoundSecondary {
  readonly cluster: string;
  readonly id: string;
  readonly filter?: StoredPathsFilter;
}
