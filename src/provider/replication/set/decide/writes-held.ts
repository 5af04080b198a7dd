import {
  rootOf,
  VaultError,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
} from '../../../../client';
import { DiagnosticError } from '../../../../plugin';
import { serverErrorOf } from '../../../objects';
import {
  hasSteppedDown,
  idOf,
  isAttached,
  isUnattached,
  type PrimaryFacts,
  type Observation,
} from '../planner';
import { all, ask, warn, type Procedure } from './requests';
import { writeTakeoverNote } from './switchover-note';
import { promotionNoteIn, takeoverNoteIn, type TakeoverNote } from './switchover-policy';

/**
 * The replication status of each cluster, by name; the reason as a text if it could not be read.
 */
type Statuses = ReadonlyMap<string, ReplicationStatus | string>;

/**
 * Adds to the facts of each primary which clusters' writes it is known to have. Only two kinds of
 * clusters can have writes that it lacks: those that stepped down, and secondaries that do not
 * follow it. A primary has all writes of a cluster if the data of both is equal. It also has them
 * if the cluster stepped down, the takeover note of the primary lists it, and its data has not
 * changed since. For a secondary that did not step down, there are two more cases: the primary's
 * takeover note covers all clusters that stepped down, or the secondary followed this primary last.
 * In both cases the secondary must have compared its data with its primary since.
 *
 * @param copiesNote whether a promotion note that counts is copied to the takeover note
 */
export function* withWritesHeld(
  observation: Observation,
  statuses: Statuses,
  copiesNote: boolean,
): Procedure<Observation> {
  const names = Object.keys(observation).filter((name) => observation[name]!.unreachable === undefined);
  const primaries = names.filter((name) => observation[name]!.mode === 'primary');
  const proven = yield* all(
    primaries.map((name) => provenFacts(name, names, observation, statuses, copiesNote)),
  );
  return { ...observation, ...Object.fromEntries(proven) };
}

function* provenFacts(
  name: string,
  names: readonly string[],
  observation: Observation,
  statuses: Statuses,
  copiesNote: boolean,
): Procedure<readonly [string, PrimaryFacts]> {
  const facts = observation[name] as PrimaryFacts;
  const doubtful = names.filter(
    (other) => hasSteppedDown(observation[other]!) || isUnattached(observation[other]!, facts),
  );
  if (doubtful.length === 0) return [name, facts];
  const held = new WritesHeld(name, observation, statuses, copiesNote);
  const hasWritesOf = yield* held.among(doubtful);
  const { noteUnread } = held;
  return [name, { ...facts, hasWritesOf, ...(noteUnread !== undefined && { noteUnread }) }];
}

/** The evidence that a primary has the writes of others. */
class WritesHeld {
  readonly #primary: string;
  readonly #observation: Observation;
  readonly #statuses: Statuses;
  readonly #copiesNote: boolean;
  /** Why the note of the primary could not be read. */
  noteUnread: string | undefined;

  constructor(primary: string, observation: Observation, statuses: Statuses, copiesNote: boolean) {
    this.#primary = primary;
    this.#observation = observation;
    this.#statuses = statuses;
    this.#copiesNote = copiesNote;
  }

  /** Returns the clusters whose writes the primary is known to have. */
  *among(names: readonly string[]): Procedure<readonly string[]> {
    const open = names.filter((name) => !this.#isSame(name));
    if (open.length === 0 && !this.#copiesNote) return names;
    const note = this.#own(yield* this.#note()) ?? (yield* this.#promotionNote());
    const own = yield* this.#ownAddress(open);
    return names.filter(
      (name) => !open.includes(name) || this.#isNoted(name, note) || this.#hasFollowed(name, own),
    );
  }

  #isSame(name: string): boolean {
    const root = this.#rootOf(name);
    return root !== undefined && root === this.#rootOf(this.#primary);
  }

  /** Returns a note of this primary. A note of another one is left from an earlier switchover. */
  #own(note: TakeoverNote | undefined): TakeoverNote | undefined {
    return note?.primary === idOf(this.#primary, this.#observation) ? note : undefined;
  }

  #isNoted(name: string, note: TakeoverNote | undefined): boolean {
    if (note === undefined) return false;
    const noted = note.predecessors.find(({ id }) => id === idOf(name, this.#observation));
    const root = this.#rootOf(name);
    // The cluster still has the data with which it stepped down, even if it was given a token
    // since: it has not connected with it.
    if (noted !== undefined && root !== undefined && noted.root === root) return true;
    // Only a cluster that was a primary has accepted writes. A secondary has only writes of the
    // former primaries, which the note covers.
    return !hasSteppedDown(this.#observation[name]!) && (noted === undefined || this.#hasSynced(name));
  }

  /**
   * Whether a secondary followed this primary last. Only the primary's own address identifies it:
   * its address for secondaries may lead to any cluster that is the primary.
   */
  #hasFollowed(name: string, address: string | undefined): boolean {
    const status = this.#statuses.get(name) as ReplicationSecondaryStatus;
    if (address === undefined || hasSteppedDown(this.#observation[name]!) || !this.#hasSynced(name))
      return false;
    return status.known_primary_cluster_addrs.some((each) => hostOf(each) === hostOf(address));
  }

  /**
   * Whether a secondary has compared its data with its primary's. Before that, it still has all
   * writes of its own.
   */
  #hasSynced(name: string): boolean {
    const { state } = this.#statuses.get(name) as ReplicationSecondaryStatus;
    return state !== 'merkle-diff' && state !== 'merkle-sync';
  }

  #rootOf(name: string): string | undefined {
    const status = this.#statuses.get(name);
    return status === undefined || typeof status === 'string' ? undefined : rootOf(status);
  }

  /** Returns the note; `undefined` if it cannot be read, so that it proves nothing. */
  *#note(): Procedure<TakeoverNote | undefined> {
    try {
      return takeoverNoteIn(yield* ask({ kind: 'read_note', cluster: this.#primary, of: 'takeover' }));
    } catch (error) {
      if (!(error instanceof DiagnosticError) && !VaultError.is(error)) throw error;
      this.noteUnread = serverErrorOf(error)?.message ?? error.message;
      return undefined;
    }
  }

  /**
   * Returns the promotion note of an apply that ended before it could write the takeover note. Each
   * predecessor must still have the data that the note names: otherwise the note may be older than
   * the predecessor's last writes. An apply copies the note before it changes this data.
   */
  *#promotionNote(): Procedure<TakeoverNote | undefined> {
    const cluster = this.#primary;
    try {
      const note = this.#own(promotionNoteIn(yield* ask({ kind: 'read_note', cluster, of: 'promotion' })));
      if (!note?.predecessors.every((each) => this.#isAsNoted(each))) return undefined;
      if (this.#copiesNote) yield* writeTakeoverNote(cluster, note);
      return note;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      yield* warn(error.message);
      return undefined;
    }
  }

  #isAsNoted({ id, root }: TakeoverNote['predecessors'][number]): boolean {
    const name = Object.keys(this.#observation).find((each) => idOf(each, this.#observation) === id);
    if (name === undefined || this.#rootOf(name) !== root) return false;
    // Once it follows the primary, it has the primary's data.
    const facts = this.#observation[name]!;
    return facts.mode !== 'secondary' || !isAttached(facts, this.#observation[this.#primary] as PrimaryFacts);
  }

  *#ownAddress(names: readonly string[]): Procedure<string | undefined> {
    if (names.every((name) => hasSteppedDown(this.#observation[name]!))) return undefined;
    return yield* ask({ kind: 'cluster_address', cluster: this.#primary });
  }
}

/** Returns the host and port of an address, which may have a scheme. */
function hostOf(address: string): string {
  return address.replace(/^\w+:\/\//, '').replace(/\/$/, '');
}
