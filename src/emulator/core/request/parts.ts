import type { ReplicationMode } from '../../../model';
import type { OperationHandler, LogicalRequest, ServerFlavour } from '../backend';
import type { Authorizer } from './authorizer';
import type { EmulatorClock } from '../primitives/clock';
import type { MountTable } from '../routing/mounts';
import type { NamespaceStore } from '../stores/namespace-store';
import type { PolicyFailures } from '../stores/policy-failures';
import type { PolicyStore } from '../stores/policy-store';
import type { SentinelPolicies } from '../stores/sentinel-policies';
import type { Storage } from '../primitives/storage';
import type { TokenStore } from '../stores/tokens';
import type { ResponseWrapping } from '../stores/wrapping';
import type { AuditDevices } from '../audit';
import type { IdentityStore } from '../identity/identity-store';
import type { MfaMethods } from '../stores/mfa-methods';
import type { Cubbyholes } from '../stores/cubbyholes';

/** The part of replication that request handling uses. */
export interface RequestReplication {
  readonly mode: ReplicationMode;
  /** The `X-Vault-Index` of a response to a write. */
  readonly index: string;
  /**
   * @param index the request's `X-Vault-Index`.
   * @throws LogicalError 503 if the cluster does not serve the path during a change of its mode,
   *   412 if the cluster has not reached the index.
   */
  admit(path: string, index?: string): void;
  /**
   * Forwards a request to the primary.
   *
   * @throws LogicalError with the primary's refusal, or if the primary cannot be reached.
   */
  forward(request: LogicalRequest): ReturnType<OperationHandler>;
}

/** The parts of a cluster that request handling and the `sys` routes use. */
export interface ClusterParts {
  readonly name: string;
  /** The cluster's own id, as in `sys/health`. */
  readonly id: string;
  readonly server: ServerFlavour;
  readonly clock: EmulatorClock;
  readonly storage: Storage;
  readonly namespaces: NamespaceStore;
  readonly policies: PolicyStore;
  readonly sentinelPolicies: SentinelPolicies;
  /** Whether the refusals of RGPs and EGPs do not contain the trace of the evaluation. */
  readonly disableSentinelTrace: boolean;
  readonly policyFailures: PolicyFailures;
  readonly tokens: TokenStore;
  readonly cubbyholes: Cubbyholes;
  readonly authorizer: Authorizer;
  readonly wrapping: ResponseWrapping;
  readonly mounts: MountTable;
  readonly identity: IdentityStore;
  readonly mfa: MfaMethods;
  readonly audit: AuditDevices;
  readonly replication: RequestReplication;
  readonly sealed: boolean;
  /** The address of the cluster for clients. */
  readonly address: () => string;
  /**
   * Called for each write that is stored but has no effect.
   *
   * @param path the path of the setting or the mount.
   */
  noteWithoutEffect(path: string, what: string): void;
  /** Whether the server's version and edition can load snapshots. */
  readonly loadsSnapshots: boolean;
  /**
   * @returns the storage in a loaded snapshot.
   * @throws LogicalError if the snapshot cannot be used.
   */
  loadedSnapshot(id: string): Storage;
}
