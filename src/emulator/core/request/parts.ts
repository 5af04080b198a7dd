import type { ReplicationMode } from '../../../model';
import type { Handler, LogicalRequest, ServerFlavour } from '../backend';
import type { Authorizer } from './authorizer';
import type { Clock } from '../primitives/clock';
import type { MountTable } from '../routing/mounts';
import type { NamespaceStore } from '../stores/namespaces';
import type { PolicyFailures } from '../stores/policy-failures';
import type { PolicyStore } from '../stores/policies';
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
  /** What `X-Vault-Index` says after a write. */
  readonly index: string;
  /**
   * @param index the request's `X-Vault-Index`.
   * @throws LogicalError 503 if the cluster serves no such path while it changes its mode, 412 if the index is not reached.
   */
  admit(path: string, index?: string): void;
  /** Has the primary handle a request. @throws LogicalError with the primary's refusal, or where it is out of reach. */
  forward(request: LogicalRequest): ReturnType<Handler>;
}

/** The parts of a cluster that request handling and the `sys` routes use. */
export interface ClusterParts {
  readonly name: string;
  /** The cluster's own id, as in `sys/health`. */
  readonly id: string;
  readonly server: ServerFlavour;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly namespaces: NamespaceStore;
  readonly policies: PolicyStore;
  readonly sentinelPolicies: SentinelPolicies;
  /** Whether the refusals of RGPs and EGPs leave out what was evaluated. */
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
  /** Where clients reach the cluster. */
  readonly address: () => string;
  /** To be told of a write that is stored and has no effect. @param path the path of the setting or the mount. */
  noteWithoutEffect(path: string, what: string): void;
  /** Whether the server is one that can load snapshots. */
  readonly loadsSnapshots: boolean;
  /** @returns what is stored in a loaded snapshot. @throws LogicalError if it cannot be used. */
  loadedSnapshot(id: string): Storage;
}
