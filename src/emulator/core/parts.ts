import type { ServerFlavour } from './backend';
import type { Authorizer } from './authorizer';
import type { Clock } from './clock';
import type { MountTable } from './mounts';
import type { NamespaceStore } from './namespaces';
import type { PolicyStore } from './policies';
import type { Storage } from './storage';
import type { TokenStore } from './tokens';
import type { ResponseWrapping } from './wrapping';
import type { Cubbyholes } from './cubbyholes';

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
  readonly sealed: boolean;
}
