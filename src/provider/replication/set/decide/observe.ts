import {
  isStreaming,
  rootOf,
  VaultError,
  type ReplicationPrimaryStatus,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
} from '../../../../client';
import { DiagnosticError } from '../../../../plugin';
import { serverErrorOf } from '../../../objects';
import {
  hasSteppedDown,
  type Announced,
  type ClusterFacts,
  type Connection,
  type Filter,
  type PrimaryFacts,
  type SecondaryProgress,
  type Self,
  type Observation,
} from '../planner';
import { all, ask, type Procedure } from './requests';
import { readAnnouncement } from './switchover-note';
import { withWritesHeld } from './writes-held';

/** Seconds to wait for a cluster that is probably gone. */
const GLANCE_TIMEOUT = 3;

interface ObserveOptions {
  /** Whether a promotion note that counts is copied to the takeover note, as in an apply. */
  readonly copiesNote?: boolean;
  /**
   * Ids of secondaries whose paths filters are read on the primary, unless the earlier facts
   * contain them.
   */
  readonly ids: readonly string[];
  /** The clusters that are searched for existing data if replication is disabled on them. */
  readonly lookInto?: readonly string[];
  /**
   * The earlier facts. A cluster that does not answer keeps its facts, and known filters are not
   * read again.
   */
  readonly before: Observation;
  /** Whether known filters are read again. A filter that cannot be read is kept. */
  readonly rereadFilters?: boolean;
  /**
   * Whether the ids of known clusters are read again: another cluster may be at the same address.
   */
  readonly identify?: boolean;
  /** Whether the progress of secondaries is read. */
  readonly comparesProgress?: boolean;
  /** Clusters that are probably gone, and get only a short time to answer. */
  readonly glanceAt?: readonly string[];
  /**
   * The clusters that this apply has promoted. Secondaries can follow them only with a token that
   * was issued after the promotion.
   */
  readonly promoted?: ReadonlySet<string>;
  /** The ids of the activation tokens that this apply has issued. */
  readonly issued?: ReadonlySet<string>;
  /** Corrects the facts before the data of clusters is compared. */
  readonly adjust?: (observation: Observation) => Observation;
  /** Receives the error if a filter cannot be read. Without it, the error is thrown. */
  readonly onUnreadable?: (failure: DiagnosticError) => void;
}

/**
 * Returns the present facts of the clusters, with one request for the status of each, and one for
 * each filter. A cluster that does not answer keeps its earlier facts.
 *
 * @throws DiagnosticError if a filter cannot be read.
 */
export function* observe(members: readonly string[], options: ObserveOptions): Procedure<Observation> {
  const { copiesNote = false } = options;
  const statuses = new Map<string, ReplicationStatus | string>();
  const entries = yield* all(members.map(entryOf));
  const seen: Observation = Object.fromEntries(entries);
  const observation = yield* withPlaces(options.adjust?.(seen) ?? seen);
  return yield* withWritesHeld(yield* withAnnouncements(observation), statuses, copiesNote);

  function* entryOf(cluster: string): Procedure<readonly [string, ClusterFacts]> {
    const status = yield* statusOf(cluster, options.glanceAt?.includes(cluster));
    statuses.set(cluster, status);
    return [cluster, yield* factsOf(cluster, status, options)];
  }
}

/**
 * If no primary answers, adds the successor that the last primary announced. If the announcement
 * cannot be read now, a promotion reads it again.
 */
function* withAnnouncements(observation: Observation): Procedure<Observation> {
  const present = Object.entries(observation).filter(([, { unreachable }]) => unreachable === undefined);
  if (present.some(([, { mode }]) => mode === 'primary')) return observation;
  const steppedDown = present.filter(([, facts]) => hasSteppedDown(facts));
  const announcements = yield* all(steppedDown.map(([name]) => announcedOn(name)));
  const announcing = steppedDown.map(([name, facts], at) => {
    const announced = announcements[at];
    return [name, { ...facts, ...(announced && { announced }) }] as const;
  });
  return { ...observation, ...(Object.fromEntries(announcing) as Observation) };
}

function* announcedOn(cluster: string): Procedure<Announced | undefined> {
  try {
    const found = yield* readAnnouncement(cluster);
    return found && { id: found.id, name: found.name };
  } catch (error) {
    if (error instanceof DiagnosticError || VaultError.is(error)) return undefined;
    throw error;
  }
}

/**
 * Adds the ids that the clusters at the configured addresses have now. A cluster that does not
 * answer keeps its earlier id.
 *
 * @param known clusters whose ids were read a moment ago.
 */
export function* identified(observation: Observation, known: readonly string[]): Procedure<Observation> {
  const open = Object.keys(observation).filter(
    (name) => !known.includes(name) && observation[name]!.unreachable === undefined,
  );
  const found = yield* all(open.map(healthOf));
  const entries = open.map((name, at) => {
    const self = found[at]?.self;
    return [name, { ...observation[name]!, ...(self && { self }) }] as const;
  });
  return yield* withPlaces({ ...observation, ...Object.fromEntries(entries) });
}

/**
 * Adds the addresses of clusters that have the same id, for example because they were restored from
 * one snapshot. The addresses distinguish such clusters.
 */
function* withPlaces(observation: Observation): Procedure<Observation> {
  const ids = Object.values(observation).map(({ self }) => self?.id);
  const isShared = ({ self }: ClusterFacts) =>
    self !== undefined && ids.filter((id) => id === self.id).length > 1;
  const shared = Object.keys(observation).filter((name) => isShared(observation[name]!));
  const places = yield* all(shared.map((cluster) => ask({ kind: 'cluster_address', cluster })));
  const placed = shared.map((name, at) => {
    const [facts, place] = [observation[name]!, places[at]];
    return [name, place === undefined ? facts : { ...facts, self: { ...facts.self!, place } }] as const;
  });
  return { ...observation, ...Object.fromEntries(placed) };
}

function* factsOf(
  cluster: string,
  status: ReplicationStatus | string,
  options: ObserveOptions,
): Procedure<ClusterFacts> {
  const facts = yield* replicationFacts(cluster, status, options);
  if (facts.unreachable !== undefined) return facts;
  const known = options.before[cluster]?.self;
  // DR secondaries also report performance replication as disabled, so their health has to be read.
  const isKnown = known !== undefined && options.identify !== true && facts.mode !== 'disabled';
  const health = isKnown ? undefined : yield* healthOf(cluster);
  const self = health?.self ?? known;
  if (health?.isDrSecondary) return { mode: 'dr_secondary', ...(self && { self }) };
  return { ...facts, ...(self && { self }) };
}

interface KnownHealth {
  readonly self?: Self;
  readonly isDrSecondary: boolean;
}

/**
 * Reads the id of a cluster.
 *
 * @returns `undefined` if the cluster does not answer.
 */
function* healthOf(cluster: string): Procedure<KnownHealth | undefined> {
  try {
    const { cluster_id: id, version, replication_dr_mode: dr } = yield* ask({ kind: 'health', cluster });
    return {
      isDrSecondary: dr === 'secondary',
      ...(typeof id === 'string' &&
        id !== '' && { self: { id, ...(typeof version === 'string' && { version }) } }),
    };
  } catch (error) {
    if (VaultError.is(error)) return undefined;
    throw error;
  }
}

function* replicationFacts(
  cluster: string,
  status: ReplicationStatus | string,
  options: ObserveOptions,
): Procedure<ClusterFacts> {
  const before = options.before[cluster];
  if (typeof status === 'string') return { ...(before ?? { mode: 'unknown' }), unreachable: status };
  switch (status.mode) {
    case 'disabled': {
      const isLookedInto = options.lookInto?.includes(cluster);
      return { mode: 'disabled', ...(isLookedInto && (yield* holdingsOf(cluster))) };
    }
    case 'unsupported':
      return { mode: 'unsupported' };
    case 'primary':
      return yield* primaryFacts(cluster, status, options);
    case 'secondary':
      return {
        mode: 'secondary',
        clusterId: status.cluster_id,
        secondaryId: status.secondary_id,
        connected: isConnected(status),
        alone: isAlone(status),
        ...(options.comparesProgress && { progress: progressOf(status) }),
        ...digestOf(status),
      };
    default:
      return { ...(before ?? { mode: 'unknown' }), unreachable: `it is between two modes (${status.mode})` };
  }
}

function digestOf({
  corrupted_merkle_tree: isWrong,
  merkle_root: root,
}: Pick<ReplicationPrimaryStatus, 'corrupted_merkle_tree' | 'merkle_root'>): Pick<PrimaryFacts, 'digest'> {
  if (isWrong) return { digest: 'wrong' };
  return root === undefined ? { digest: 'missing' } : {};
}

/** Whether a secondary is connected to its primary. Some servers do not list the primaries. */
function isConnected(status: ReplicationSecondaryStatus): boolean {
  const { primaries, connection_state: connection } = status;
  if (primaries.length === 0) return connection === 'ready' && isStreaming(status);
  return primaries.some(({ connection_status }) => connection_status === 'connected');
}

function progressOf(status: ReplicationSecondaryStatus): SecondaryProgress {
  const root = rootOf(status);
  return { position: status.last_remote_wal ?? 0, ...(root !== undefined && { root }) };
}

/**
 * Whether a secondary makes no attempt to reach a primary. A secondary that has only lost its
 * connection tries to restore it.
 */
function isAlone(status: ReplicationSecondaryStatus): boolean {
  const { state, connection_state: connection = 'idle', known_primary_cluster_addrs: addresses } = status;
  return state === 'idle' && (addresses.length === 0 || connection === 'idle');
}

/** Returns the status of a cluster; if it cannot be read, the reason as a text for users. */
function* statusOf(cluster: string, isGlance = false): Procedure<ReplicationStatus | string> {
  try {
    return yield* ask({ kind: 'status', cluster, ...(isGlance && { timeout: GLANCE_TIMEOUT }) });
  } catch (error) {
    if (VaultError.is(error)) return error.message;
    if (error instanceof DiagnosticError) return error.summary;
    throw error;
  }
}

/**
 * Returns the data that a cluster has. If not everything can be read, the cluster counts as having
 * data.
 */
function* holdingsOf(
  cluster: string,
): Procedure<{ readonly holds: readonly string[] } | { readonly unseen: string }> {
  try {
    return { holds: yield* ask({ kind: 'held_data', cluster }) };
  } catch (error) {
    const cause = serverErrorOf(error);
    if (cause) return { unseen: cause.message };
    throw error;
  }
}

function* primaryFacts(
  cluster: string,
  { cluster_id: clusterId, primary_cluster_addr: clusterAddr, ...status }: ReplicationPrimaryStatus,
  { ids, before, rereadFilters = false, promoted, issued, onUnreadable }: ObserveOptions,
): Procedure<PrimaryFacts> {
  const known = before[cluster];
  const filters = known?.mode === 'primary' && known.clusterId === clusterId ? known.filters : {};
  // A primary that this apply promoted may list secondaries from an earlier time. They do not
  // connect again by themselves.
  const isOfEarlier = (id: string) =>
    promoted?.has(cluster) === true && issued?.has(id) !== true && connectionOf(status, id) !== 'connected';
  const listed = knownIds(status);
  const missing = ids.filter((id) => rereadFilters || filters[id] === undefined);
  const filtersRead = yield* all(
    missing.map((id) => filterOf(cluster, { id, isKnown: listed.includes(id) }, onUnreadable)),
  );
  const read = missing.map((id, at) => [id, filtersRead[at]] as const);
  return {
    mode: 'primary',
    clusterId,
    clusterAddr,
    secondaries: Object.fromEntries(
      listed.map((id) => [id, isOfEarlier(id) ? 'never' : connectionOf(status, id)]),
    ),
    filters: { ...filters, ...Object.fromEntries(read.filter(wasRead)) },
    ...digestOf(status),
  };
}

function wasRead(
  entry: readonly [string, Filter | null | undefined],
): entry is readonly [string, Filter | null] {
  return entry[1] !== undefined;
}

/** Returns the ids of all secondaries. Servers may have an id in only one of the two lists. */
export function knownIds({
  known_secondaries,
  secondaries,
}: Pick<ReplicationPrimaryStatus, 'known_secondaries' | 'secondaries'>): readonly string[] {
  const connected = secondaries.map(({ node_id }) => node_id).filter((id) => id !== '');
  return [...new Set([...known_secondaries, ...connected])];
}

/**
 * Returns the state of a secondary's connection. A secondary that never connected has no address.
 */
function connectionOf(
  { secondaries }: Pick<ReplicationPrimaryStatus, 'secondaries'>,
  id: string,
): Connection {
  // There may be one entry for each node of the secondary.
  const found = secondaries.filter(({ node_id }) => node_id === id);
  if (found.some(({ connection_status }) => connection_status === 'connected')) return 'connected';
  const hasConnected = found.some(
    ({ last_heartbeat, cluster_address }) => last_heartbeat !== undefined || cluster_address !== undefined,
  );
  return hasConnected ? 'disconnected' : 'never';
}

function* filterOf(
  cluster: string,
  { id, isKnown }: { readonly id: string; readonly isKnown: boolean },
  onUnreadable: ObserveOptions['onUnreadable'],
): Procedure<Filter | null | undefined> {
  try {
    return yield* ask({ kind: 'read_filter', cluster, id });
  } catch (error) {
    // Some servers refuse to read the filter of an unknown id, which has none.
    if (!isKnown && serverErrorOf(error)?.code === 'invalid_request') return null;
    if (!(error instanceof DiagnosticError) || !onUnreadable) throw error;
    onUnreadable(error);
    return undefined;
  }
}
