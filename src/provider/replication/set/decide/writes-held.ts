import {
  rootOf,
  VaultError,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
} from '../../../../client';
import { DiagnosticError } from '../../../../plugin';
import { serverErrorOf } from '../../../objects';
import { hasSteppedDown, idOf, isUnattached, type PrimaryFacts, type Observation } from '../planner';
import { all, ask, type Procedure } from './requests';
import { takeoverNoteIn, type TakeoverNote } from './switchover-policy';

/** The replication status of clusters by name; a text where it could not be read. */
type Statuses = ReadonlyMap<string, ReplicationStatus | string>;

/**
 * Adds to the primaries whose writes they have, of the clusters that stepped down and of the
 * secondaries that do not follow them. It has them if the data of both is the same. It has those of
 * a cluster that stepped down, also if it noted this when it took over, and that cluster has not
 * changed since. It has those of a secondary, also if it noted that it has all writes of the
 * primary before it, or if the secondary followed it last, in both cases if the secondary has
 * received its data since.
 */
export function* withWritesHeld(observation: Observation, statuses: Statuses): Procedure<Observation> {
  const names = Object.keys(observation).filter((name) => observation[name]!.unreachable === undefined);
  const primaries = names.filter((name) => observation[name]!.mode === 'primary');
  const proven = yield* all(primaries.map((name) => provenFacts(name, names, observation, statuses)));
  return { ...observation, ...Object.fromEntries(proven) };
}

function* provenFacts(
  name: string,
  names: readonly string[],
  observation: Observation,
  statuses: Statuses,
): Procedure<readonly [string, PrimaryFacts]> {
  const facts = observation[name] as PrimaryFacts;
  const doubtful = names.filter(
    (other) => hasSteppedDown(observation[other]!) || isUnattached(observation[other]!, facts),
  );
  if (doubtful.length === 0) return [name, facts];
  const held = new WritesHeld(name, observation, statuses);
  const hasWritesOf = yield* held.among(doubtful);
  const { noteUnread } = held;
  return [name, { ...facts, hasWritesOf, ...(noteUnread !== undefined && { noteUnread }) }];
}

/** The evidence that a primary has the writes of others. */
class WritesHeld {
  readonly #primary: string;
  readonly #observation: Observation;
  readonly #statuses: Statuses;
  /** Why the note of the primary could not be read. */
  noteUnread: string | undefined;

  constructor(primary: string, observation: Observation, statuses: Statuses) {
    this.#primary = primary;
    this.#observation = observation;
    this.#statuses = statuses;
  }

  /** Returns the clusters whose writes the primary is known to have. */
  *among(names: readonly string[]): Procedure<readonly string[]> {
    const open = names.filter((name) => !this.#isSame(name));
    if (open.length === 0) return names;
    const receipt = yield* this.#receipt();
    const own = yield* this.#ownAddress(open);
    return names.filter(
      (name) => !open.includes(name) || this.#isNoted(name, receipt) || this.#hasFollowed(name, own),
    );
  }

  #isSame(name: string): boolean {
    const root = this.#rootOf(name);
    return root !== undefined && root === this.#rootOf(this.#primary);
  }

  #isNoted(name: string, receipt: TakeoverNote | undefined): boolean {
    if (receipt?.primary !== idOf(this.#primary, this.#observation)) return false;
    const noted = receipt.predecessors.find(({ id }) => id === idOf(name, this.#observation));
    const root = this.#rootOf(name);
    // Its data is still that of the moment when it stepped down, also if it has got a token since,
    // and has not connected.
    if (noted !== undefined && root !== undefined && noted.root === root) return true;
    // Only a cluster that was a primary has writes of its own.
    return !hasSteppedDown(this.#observation[name]!) && (noted === undefined || this.#hasSynced(name));
  }

  /**
   * Only its own address identifies it: the address for secondaries may lead to any cluster that is
   * the primary.
   */
  #hasFollowed(name: string, address: string | undefined): boolean {
    const status = this.#statuses.get(name) as ReplicationSecondaryStatus;
    if (address === undefined || hasSteppedDown(this.#observation[name]!) || !this.#hasSynced(name))
      return false;
    return status.known_primary_cluster_addrs.some((each) => hostOf(each) === hostOf(address));
  }

  /**
   * A cluster that was pointed to a primary, but has not compared its data with it yet, still has
   * all its own writes.
   */
  #hasSynced(name: string): boolean {
    const { state } = this.#statuses.get(name) as ReplicationSecondaryStatus;
    return state !== 'merkle-diff' && state !== 'merkle-sync';
  }

  #rootOf(name: string): string | undefined {
    const status = this.#statuses.get(name);
    return status === undefined || typeof status === 'string' ? undefined : rootOf(status);
  }

  /** Returns the note; `undefined` if it cannot be read, and then proves nothing. */
  *#receipt(): Procedure<TakeoverNote | undefined> {
    try {
      return takeoverNoteIn(yield* ask({ kind: 'read_note', cluster: this.#primary, of: 'takeover' }));
    } catch (error) {
      if (!(error instanceof DiagnosticError) && !VaultError.is(error)) throw error;
      this.noteUnread = serverErrorOf(error)?.message ?? error.message;
      return undefined;
    }
  }

  *#ownAddress(names: readonly string[]): Procedure<string | undefined> {
    if (names.every((name) => hasSteppedDown(this.#observation[name]!))) return undefined;
    return yield* ask({ kind: 'cluster_address', cluster: this.#primary });
  }
}

/** The same address is written with and without its scheme. */
function hostOf(address: string): string {
  return address.replace(/^\w+:\/\//, '').replace(/\/$/, '');
}
