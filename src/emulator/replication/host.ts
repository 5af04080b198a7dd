import type { Handler, LogicalRequest } from '../core/backend';
import type { ClusterParts } from '../core/parts';
import type { MemoryStorage } from '../core/stores/storage';

/** The cluster that takes part in replication, as far as replication works on it. */
export interface ReplicationHost extends Pick<
  ClusterParts,
  'name' | 'server' | 'clock' | 'tokens' | 'wrapping' | 'sealed'
> {
  readonly storage: MemoryStorage;
  /** Where clients reach it. */
  readonly address: () => string;
  /** What unseals it. A secondary takes over its primary's. */
  unsealKey: string;
  /** Handles a request that a secondary has let in. */
  execute(request: LogicalRequest): ReturnType<Handler>;
  /** Takes notice of a key that was changed in the storage behind its back. */
  refresh(key: string): void;
  /** Clears all data, and starts again with nothing but what every cluster has. */
  wipe(): void;
}
