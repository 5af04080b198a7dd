import type { Handler, LogicalRequest, ServerFlavour } from './backend';
import type { Authorizer } from './authorizer';
import type { Clock } from './clock';
import type { MountTable } from './mounts';
import type { NamespaceStore } from './namespaces';
import type { PolicyStore } from './policies';
import type { Storage } from './storage';
import type { TokenStore } from './tokens';
import type { ResponseWrapping } from './wrapping';
import type { Cubbyholes } from './cubbyholes';

/** What the handling of requests asks of replication. */
export interface RequestReplication {
  /** @throws LogicalError 503 where the cluster serves no such path while it changes its mode. */
  admit(path: string): void;
  /** Has the primary handle a request. @throws LogicalError with the primary's refusal, or where it is out of reach. */
  forward(request: LogicalRequest): ReturnType<Handler>;
}

/** What a cluster is made of: all that its request handling and its `sys` routes work on. */
export interface ClusterParts {
  readonly name: string;
  /** The cluster's own id, as in `sys/health`. */
  readonly id: string;
  readonly server: ServerFlavour;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly namespaces: NamespaceStore;
  readonly policies: PolicyStore;
  readonly tokens: TokenStore;
  readonly cubbyholes: Cubbyholes;
  readonly authorizer: Authorizer;
  readonly wrapping: ResponseWrapping;
  readonly mounts: MountTable;
  readonly replication: RequestReplication;
  readonly sealed: boolean;
}
