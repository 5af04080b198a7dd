import type { FilterMode } from '../../model';
import type { Storage } from '../core/primitives/storage';
import type { ClientKey } from './activation/client-keys';

/** The stored replication state of a cluster. Times are milliseconds since 1970. */
type ReplicationRecord = PrimaryRecord | SecondaryRecord;

export interface PrimaryRecord {
  readonly mode: 'primary';
  /** The id of the replication set. */
  readonly clusterId: string;
  /** The id that the cluster had as a secondary; absent if it never was one. */
  readonly formerSecondaryId?: string;
  /** The address that secondaries connect to; empty for the cluster's own address. */
  readonly primaryClusterAddr: string;
  /** The secondaries by id: all whose activation token was issued and not revoked. */
  readonly secondaries: Readonly<Record<string, KnownSecondary>>;
  /** The filters by secondary id. The secondary need not exist yet. */
  readonly filters: Readonly<Record<string, PathsFilter>>;
}

export interface KnownSecondary {
  /** The public key of the client key in the activation token. */
  readonly publicKey: ClientKey;
  readonly tokenExpiresAt: number;
  /** The accessor of the wrapping token; empty if the token is not wrapped. */
  readonly tokenAccessor: string;
  /** The latest connection; absent if the secondary never connected. */
  readonly contact?: Contact;
}

export interface PathsFilter {
  readonly mode: FilterMode;
  readonly paths: readonly string[];
}

export interface SecondaryRecord {
  readonly mode: 'secondary';
  readonly clusterId: string;
  /** The secondary id; empty for a demoted primary that has not joined another primary yet. */
  readonly secondaryId: string;
  /** The first known address; empty if no primary is known. */
  readonly primaryClusterAddr: string;
  readonly knownPrimaryAddrs: readonly string[];
  /** The private key from the activation token. */
  readonly clientKey?: ClientKey;
  /**
   * Whether the first sync is not complete. Then the data is incomplete, and a restart deletes it.
   */
  readonly bootstrapping: boolean;
  /** The latest connection to the primary; absent if there was none. */
  readonly contact?: Contact;
  /** The time at which the latest sync ended; absent before the first. */
  readonly syncedAt?: number;
}

/** The other side of a connection. */
export interface Contact {
  readonly apiAddress: string;
  readonly clusterAddress: string;
  readonly since: number;
  /** The time at which the connection ended; absent while it lasts. */
  readonly until?: number;
}

/** The position of a secondary. */
interface Position {
  /** The primary's last write that was applied. */
  readonly applied: number;
  /** Whether the secondary had all writes of the primary when the primary ended its role. */
  readonly complete: boolean;
}

/** The full paths of the mounts and namespaces that a filter withholds. */
export interface WithheldPaths {
  readonly mounts: readonly string[];
  readonly namespaces: readonly string[];
  /** Whether there is a filter, even if it withholds nothing. */
  readonly isFiltered: boolean;
}

const PREFIX = 'core/replication/';
/** Whether a key belongs to the cluster's replication state, whose changes are not in the WAL. */
export function isOfReplication(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** The key of a cluster's replication record. */
const REPLICATION_RECORD_KEY = `${PREFIX}performance`;
const POSITION_KEY = `${PREFIX}position`;
const WAL_KEY = `${PREFIX}last-wal`;
const ACTIVATION_KEY_KEY = `${PREFIX}activation-key`;
const CLUSTER_ADDRESS_KEY = `${PREFIX}cluster-address`;
const DYNAMIC_FILTER_KEY = `${PREFIX}dynamic-filter`;
const WITHHELD_PREFIX = `${PREFIX}withheld/`;

/** The replication state in a cluster's storage, which is never replicated itself. */
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

  /** The number of replicated writes. */
  get lastWal(): number {
    return this.#get(WAL_KEY) ?? 0;
  }

  set lastWal(count: number) {
    this.#set(WAL_KEY, count);
  }

  /** The private key of the latest public key, until it is used. */
  get activationKey(): string | undefined {
    return this.#get(ACTIVATION_KEY_KEY);
  }

  set activationKey(key: string | undefined) {
    this.#set(ACTIVATION_KEY_KEY, key);
  }

  /**
   * The cluster address, which is stored so that secondaries find the cluster after a restart on
   * another port.
   */
  get clusterAddress(): string | undefined {
    return this.#get(CLUSTER_ADDRESS_KEY);
  }

  set clusterAddress(address: string | undefined) {
    this.#set(CLUSTER_ADDRESS_KEY, address);
  }

  /** The data that the primary's filter withholds from this secondary, as of the latest sync. */
  get dynamicFilter(): WithheldPaths | undefined {
    return this.#get(DYNAMIC_FILTER_KEY);
  }

  set dynamicFilter(filter: WithheldPaths | undefined) {
    this.#set(DYNAMIC_FILTER_KEY, filter);
  }

  /**
   * The hashes of the data that a filter withholds from this secondary, by the ids of their keys.
   */
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
