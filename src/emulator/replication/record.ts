import type { FilterMode } from '../../model';
import type { Storage } from '../core/primitives/storage';
import type { ClientKey } from './activation/client-keys';

/** The stored replication state of a cluster. Times are milliseconds since 1970. */
type ReplicationRecord = PrimaryRecord | SecondaryRecord;

export interface PrimaryRecord {
  readonly mode: 'primary';
  /** Of the replication set. */
  readonly clusterId: string;
  /** The id that it had as a secondary; absent if it never was one. */
  readonly formerSecondaryId?: string;
  /** What secondaries are told to connect to; empty for the cluster's own address. */
  readonly primaryClusterAddr: string;
  /** By id: all whose activation token was issued and not revoked. */
  readonly secondaries: Readonly<Record<string, KnownSecondary>>;
  /** By the id of the secondary, which need not be known yet. */
  readonly filters: Readonly<Record<string, PathsFilter>>;
}

export interface KnownSecondary {
  /** The public half of the key that came with the activation token. */
  readonly publicKey: ClientKey;
  readonly tokenExpiresAt: number;
  /** The accessor of the wrapping token, or empty. */
  readonly tokenAccessor: string;
  /** How it was reached last; absent for one that never connected. */
  readonly contact?: Contact;
}

export interface PathsFilter {
  readonly mode: FilterMode;
  readonly paths: readonly string[];
}

export interface SecondaryRecord {
  readonly mode: 'secondary';
  readonly clusterId: string;
  /** Empty for a demoted primary that has not joined another primary yet. */
  readonly secondaryId: string;
  /** The first address used; empty if no primary is known. */
  readonly primaryClusterAddr: string;
  readonly knownPrimaryAddrs: readonly string[];
  /** The private key that the activation token brought. */
  readonly clientKey?: ClientKey;
  /** Until the first sync is complete: the storage is not worth keeping, and a restart clears it again. */
  readonly bootstrapping: boolean;
  /** How the primary was reached last; absent for one that never was. */
  readonly contact?: Contact;
  /** When the latest sync ended; absent before the first. */
  readonly syncedAt?: number;
}

/** The other side of a connection. */
export interface Contact {
  readonly apiAddress: string;
  readonly clusterAddress: string;
  readonly since: number;
  /** When the connection ended; absent while it lasts. */
  readonly until?: number;
}

/** The position of a secondary. */
interface Position {
  /** The primary's write that was applied last. */
  readonly applied: number;
  /** The primary is none any more, and has said so when this secondary had all of its writes. */
  readonly complete: boolean;
}

/** Full paths of what a filter keeps away. */
export interface DynamicFilter {
  readonly mounts: readonly string[];
  readonly namespaces: readonly string[];
  /** Whether there is a filter, whatever it keeps away. */
  readonly isFiltered: boolean;
}

const PREFIX = 'core/replication/';
/** Whether a key holds a cluster's part in replication, whose changes are in no log. */
export function isOfReplication(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** Where a cluster's part in replication is kept. */
const REPLICATION_RECORD_KEY = `${PREFIX}performance`;
const POSITION_KEY = `${PREFIX}position`;
const WAL_KEY = `${PREFIX}last-wal`;
const ACTIVATION_KEY_KEY = `${PREFIX}activation-key`;
const CLUSTER_ADDRESS_KEY = `${PREFIX}cluster-address`;
const DYNAMIC_FILTER_KEY = `${PREFIX}dynamic-filter`;
const WITHHELD_PREFIX = `${PREFIX}withheld/`;

/** The part of a cluster's storage that is about replication, which is itself never replicated. */
export class ReplicationStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get record(): ReplicationRecord | undefined {
    return this.#get(REPLICATION_RECORD_KEY);
  }

  set record(record: ReplicationRecord | undefined) {
    this.#set(REPLICATION_RECORD_KEY, record);
  }

  get position(): Position {
    return this.#get(POSITION_KEY) ?? { applied: 0, complete: false };
  }

  set position(position: Position) {
    this.#set(POSITION_KEY, position);
  }

  /** How many replicated writes there were. */
  get lastWal(): number {
    return this.#get(WAL_KEY) ?? 0;
  }

  set lastWal(count: number) {
    this.#set(WAL_KEY, count);
  }

  /** The private half of the public key that was generated last, and not used yet. */
  get activationKey(): string | undefined {
    return this.#get(ACTIVATION_KEY_KEY);
  }

  set activationKey(key: string | undefined) {
    this.#set(ACTIVATION_KEY_KEY, key);
  }

  /** Kept, so that secondaries find the cluster after a restart on another port. */
  get clusterAddress(): string | undefined {
    return this.#get(CLUSTER_ADDRESS_KEY);
  }

  set clusterAddress(address: string | undefined) {
    this.#set(CLUSTER_ADDRESS_KEY, address);
  }

  /** What the primary's filter keeps from this secondary, as of the latest sync. */
  get dynamicFilter(): DynamicFilter | undefined {
    return this.#get(DYNAMIC_FILTER_KEY);
  }

  set dynamicFilter(filter: DynamicFilter | undefined) {
    this.#set(DYNAMIC_FILTER_KEY, filter);
  }

  /** The hashes of data that a filter keeps from this secondary, by what they go by in the tree. */
  get withheld(): Storage {
    return this.#storage.view(WITHHELD_PREFIX);
  }

  #get<T>(key: string): T | undefined {
    return this.#storage.get<T>(key);
  }

  #set(key: string, value: object | string | number | undefined): void {
    if (value === undefined) this.#storage.delete(key);
    else this.#storage.put(key, value);
  }
}
