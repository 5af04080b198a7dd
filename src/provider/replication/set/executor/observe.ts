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
  quote,
  type Announced,
  type ClusterFacts,
  type Connection,
  type Filter,
  type PrimaryFacts,
  type Progress,
  type Self,
  type World,
} from '../planner';
import { heldData } from '../../shared/held-data';
import type { Fleet } from './fleet';
import { withProofs } from './proofs';
import { readAnnouncement } from './succession';

/** Seconds that a cluster is waited for that is probably gone. */
const GLANCE_TIMEOUT = 3;

interface ObserveOptions {
  /** Ids of secondaries whose paths filters are read on the primary, unless they are among the facts already. */
  readonly ids: readonly string[];
  /** Clusters whose data is looked for where replication is off. */
  readonly lookInto?: readonly string[];
  /**
   * The earlier facts: they are kept for a cluster that does not answer, and their filters are not
   * read again.
   */
  readonly before: World;
  /** Whether filters are read again that are among the facts. They still stand where that fails. */
  readonly rereadFilters?: boolean;
  /** Whether clusters are asked again who they are: another one may be at the same address. */
  readonly identify?: boolean;
  /** Whether it is looked at how far secondaries have come. */
  readonly comparesProgress?: boolean;
  /** Clusters that are probably gone: they are not waited for long. */
  readonly glanceAt?: readonly string[];
  /** The clusters that this apply has promoted. Secondaries need a token issued after that to follow them. */
  readonly promoted?: ReadonlySet<string>;
  /** The ids of the activation tokens that this apply has issued. */
  readonly issued?: ReadonlySet<string>;
  /** Corrects the facts before the data of clusters is compared. */
  readonly adjust?: (world: World) => World;
  /** Told of a filter that cannot be read. Absent: it is thrown. */
  readonly onUnreadable?: (failure: DiagnosticError) => void;
}

/**
 * Returns the present facts of the clusters, by one request for the status of each, and one for
 * each filter. A cluster that cannot be asked keeps the facts of the last time.
 *
 * @throws DiagnosticError where a filter cannot be read.
 */
export async function observe(
  fleet: Fleet,
  members: readonly string[],
  options: ObserveOptions,
): Promise<World> {
  const statuses = new Map<string, ReplicationStatus | string>();
  const entries = await Promise.all(
    members.map(async (cluster) => {
      const status = await statusOf(fleet, cluster, options.glanceAt?.includes(cluster));
      statuses.set(cluster, status);
      return [cluster, await factsOf(fleet, cluster, status, options)] as const;
    }),
  );
  const seen: World = Object.fromEntries(entries);
  const world = await withPlaces(fleet, options.adjust?.(seen) ?? seen);
  return withProofs(fleet, await withAnnouncements(fleet, world), statuses);
}

/**
 * If no primary answers, adds the successor that the last one announced. An announcement that
 * cannot be read is read again at a promotion.
 */
async function withAnnouncements(fleet: Fleet, world: World): Promise<World> {
  const present = Object.entries(world).filter(([, { unreachable }]) => unreachable === undefined);
  if (present.some(([, { mode }]) => mode === 'primary')) return world;
  const announcing = await Promise.all(
    present
      .filter(([, facts]) => hasSteppedDown(facts))
      .map(async ([name, facts]) => {
        const announced = await announcedOn(fleet, name);
        return [name, { ...facts, ...(announced && { announced }) }] as const;
      }),
  );
  return { ...world, ...(Object.fromEntries(announcing) as World) };
}

async function announcedOn(fleet: Fleet, cluster: string): Promise<Announced | undefined> {
  try {
    const found = await readAnnouncement(fleet, cluster);
    return found && { id: found.id, name: found.name };
  } catch (error) {
    if (error instanceof DiagnosticError || VaultError.is(error)) return undefined;
    throw error;
  }
}

/**
 * Clusters that were restored from one snapshot have the same id: their addresses distinguish them.
 */
async function withPlaces(fleet: Fleet, world: World): Promise<World> {
  const ids = Object.values(world).map(({ self }) => self?.id);
  const isShared = ({ self }: ClusterFacts) =>
    self !== undefined && ids.filter((id) => id === self.id).length > 1;
  const shared = Object.keys(world).filter((name) => isShared(world[name]!));
  const placed = await Promise.all(
    shared.map(async (name) => {
      const facts = world[name]!;
      const place = await fleet.member(name).clusterAddress();
      return [name, place === undefined ? facts : { ...facts, self: { ...facts.self!, place } }] as const;
    }),
  );
  return { ...world, ...Object.fromEntries(placed) };
}

async function factsOf(
  fleet: Fleet,
  cluster: string,
  status: ReplicationStatus | string,
  options: ObserveOptions,
): Promise<ClusterFacts> {
  const facts = await replicationFacts(fleet, cluster, status, options);
  if (facts.unreachable !== undefined) return facts;
  const known = options.before[cluster]?.self;
  // Replication is disabled on secondaries of disaster recovery, too.
  const isKnown = known !== undefined && options.identify !== true && facts.mode !== 'disabled';
  const health = isKnown ? undefined : await healthOf(fleet, cluster);
  const self = health?.self ?? known;
  if (health?.isDrSecondary) return { mode: 'dr_secondary', ...(self && { self }) };
  return { ...facts, ...(self && { self }) };
}

interface KnownHealth {
  readonly self?: Self;
  readonly isDrSecondary: boolean;
}

/** @returns nothing where the cluster does not tell. */
async function healthOf(fleet: Fleet, cluster: string): Promise<KnownHealth | undefined> {
  try {
    const { cluster_id: id, version, replication_dr_mode: dr } = await fleet.member(cluster).health();
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

async function replicationFacts(
  fleet: Fleet,
  cluster: string,
  status: ReplicationStatus | string,
  options: ObserveOptions,
): Promise<ClusterFacts> {
  const before = options.before[cluster];
  if (typeof status === 'string') return { ...(before ?? { mode: 'unknown' }), unreachable: status };
  switch (status.mode) {
    case 'disabled': {
      const isLookedInto = options.lookInto?.includes(cluster);
      return { mode: 'disabled', ...(isLookedInto && (await holdingsOf(fleet, cluster))) };
    }
    case 'unsupported':
      return { mode: 'unsupported' };
    case 'primary':
      return primaryFacts(fleet, cluster, status, options);
    case 'secondary':
      return {
        mode: 'secondary',
        clusterId: status.cluster_id,
        secondaryId: status.secondary_id,
        connected: isConnected(status),
        alone: isAlone(status),
        ...(options.comparesProgress && { progress: progressOf(status) }),
        ...(status.corrupted_merkle_tree && { corrupted: true }),
      };
    default:
      return { ...(before ?? { mode: 'unknown' }), unreachable: `it is between two modes (${status.mode})` };
  }
}

/** Some servers do not list the primaries. */
function isConnected(status: ReplicationSecondaryStatus): boolean {
  const { primaries, connection_state: connection } = status;
  if (primaries.length === 0) return connection === 'ready' && isStreaming(status);
  return primaries.some(({ connection_status }) => connection_status === 'connected');
}

function progressOf(status: ReplicationSecondaryStatus): Progress {
  const root = rootOf(status);
  return { position: status.last_remote_wal ?? 0, ...(root !== undefined && { root }) };
}

/** A secondary that has only lost its connection tries to restore it. */
function isAlone(status: ReplicationSecondaryStatus): boolean {
  const { state, connection_state: connection = 'idle', known_primary_cluster_addrs: addresses } = status;
  return state === 'idle' && (addresses.length === 0 || connection === 'idle');
}

/** Returns the status, or the reason why it could not be read, as a text for users. */
async function statusOf(
  fleet: Fleet,
  cluster: string,
  isGlance = false,
): Promise<ReplicationStatus | string> {
  try {
    return await fleet.member(cluster).status(isGlance ? GLANCE_TIMEOUT : undefined);
  } catch (error) {
    if (VaultError.is(error)) return error.message;
    if (error instanceof DiagnosticError) return error.summary;
    throw error;
  }
}

/** Where not everything can be seen, it counts as holding data. */
async function holdingsOf(
  fleet: Fleet,
  cluster: string,
): Promise<{ readonly holds: readonly string[] } | { readonly unseen: string }> {
  try {
    return {
      holds: await fleet.member(cluster).call('look for data on', (_, client) => heldData(client, {})),
    };
  } catch (error) {
    const cause = serverErrorOf(error);
    if (cause) return { unseen: cause.message };
    throw error;
  }
}

async function primaryFacts(
  fleet: Fleet,
  cluster: string,
  { cluster_id: clusterId, primary_cluster_addr: clusterAddr, ...status }: ReplicationPrimaryStatus,
  { ids, before, rereadFilters = false, promoted, issued, onUnreadable }: ObserveOptions,
): Promise<PrimaryFacts> {
  const known = before[cluster];
  const filters = known?.mode === 'primary' && known.clusterId === clusterId ? known.filters : {};
  // It may list secondaries from an earlier time as the primary. They do not reconnect by themselves.
  const isOfEarlier = (id: string) =>
    promoted?.has(cluster) === true && issued?.has(id) !== true && connectionOf(status, id) !== 'connected';
  const listed = knownIds(status);
  const missing = ids.filter((id) => rereadFilters || filters[id] === undefined);
  const read = await Promise.all(
    missing.map(async (id) => {
      const isKnown = listed.includes(id);
      return [id, await filterOf(fleet, cluster, { id, isKnown }, onUnreadable)] as const;
    }),
  );
  return {
    mode: 'primary',
    clusterId,
    clusterAddr,
    secondaries: Object.fromEntries(
      listed.map((id) => [id, isOfEarlier(id) ? 'never' : connectionOf(status, id)]),
    ),
    filters: { ...filters, ...Object.fromEntries(read.filter(wasRead)) },
    ...(status.corrupted_merkle_tree && { corrupted: true }),
  };
}

function wasRead(
  entry: readonly [string, Filter | null | undefined],
): entry is readonly [string, Filter | null] {
  return entry[1] !== undefined;
}

/** Servers may list an id in one of the two lists only. */
export function knownIds({
  known_secondaries,
  secondaries,
}: Pick<ReplicationPrimaryStatus, 'known_secondaries' | 'secondaries'>): readonly string[] {
  const connected = secondaries.map(({ node_id }) => node_id).filter((id) => id !== '');
  return [...new Set([...known_secondaries, ...connected])];
}

/** A secondary that never connected has no address. */
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

async function filterOf(
  fleet: Fleet,
  cluster: string,
  { id, isKnown }: { readonly id: string; readonly isKnown: boolean },
  onUnreadable: ObserveOptions['onUnreadable'],
): Promise<Filter | null | undefined> {
  try {
    return await readFilter(fleet, cluster, id);
  } catch (error) {
    // Some servers refuse to read the filter of an unknown id, which has none.
    if (!isKnown && serverErrorOf(error)?.code === 'invalid_request') return null;
    if (!(error instanceof DiagnosticError) || !onUnreadable) throw error;
    onUnreadable(error);
    return undefined;
  }
}

/** The paths filter of a secondary, as its primary has it. */
export async function readFilter(fleet: Fleet, primary: string, id: string): Promise<Filter | null> {
  const response = await fleet
    .member(primary)
    .call(`read the paths filter of secondary ${quote(id)} of`, (replication) =>
      replication.readPathsFilter(id),
    );
  return response ? response.data : null;
}
