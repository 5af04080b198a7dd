import {
  confirmsLossOf,
  PRIMARY_CONTACT_FIELDS,
  REPLICATION_SET_TIMEOUTS,
  type TokenDelivery,
} from '../../../model';
import { isKnown } from '../../../plugin';
import { timeoutOf } from '../../fields';
import type { Confirmations, Memory } from './memory';
import type { SecondarySettings, SetSettings } from './decide';
import {
  knownMembers,
  type Goal,
  type KnownSet,
  type PrimaryFacts,
  type WantedSecondary,
  type Observation,
} from './planner';
import type { SecondaryOfSet, SetConfig, SetState } from './schema';

/** The values of a set in a configuration or a state, once all of them are known. */
export type SetValues = Omit<
  SetState,
  'id' | 'cluster_id' | 'cluster_ids' | 'members' | 'unlisted_secondaries' | 'steps'
>;

/**
 * Returns the goal of a plan or an apply.
 *
 * @param memory contains the confirmations that are used up
 */
export function goalOf(
  values: SetValues,
  state: SetState | null,
  memory: Pick<Memory, 'confirmed' | 'observed' | 'leftIds'>,
): Goal {
  const { primary, force_promotion, abandoned_clusters } = values;
  const secondaries = Object.entries(values.secondaries ?? {}).map(
    ([name, secondary]) => [name, wantedSecondary(name, secondary, memory.confirmed)] as const,
  );
  return {
    wanted: {
      primary,
      secondaries: Object.fromEntries(secondaries),
      forced: force_promotion === primary,
      abandoned: abandoned_clusters ?? [],
      ...withAddress(addressesOf(values)[primary]),
    },
    ...(state && { known: knownFrom(state, memory) }),
  };
}

function withAddress(address: string | undefined): { readonly address?: string } {
  return address === undefined ? {} : { address };
}

/**
 * Returns the cluster addresses that primaries give to their secondaries, by cluster. A cluster is
 * absent if it uses the address of its own server, or if the address is unknown until the apply.
 * Only steps that change the connection of secondaries to their primary depend on these addresses.
 */
export function addressesOf({
  primary,
  primary_cluster_addr: address,
  primary_cluster_addrs: addresses,
}: Pick<SetConfig, 'primary_cluster_addr' | 'primary_cluster_addrs'> & {
  readonly primary: string;
}): Readonly<Record<string, string>> {
  const all = Object.entries({
    ...(address !== null && { [primary]: address }),
    ...(isKnown(addresses) && addresses),
  });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => isKnown(entry[1])));
}

function wantedSecondary(
  name: string,
  { id, paths_filter, confirm_data_loss }: SecondaryOfSet,
  used: Confirmations,
): WantedSecondary {
  const given = confirm_data_loss !== null && confirmsLossOf(name, confirm_data_loss);
  return {
    id: id ?? name,
    filter: paths_filter,
    dataLoss: !given ? 'unconfirmed' : used[name]?.includes(confirm_data_loss) ? 'used' : 'confirmed',
  };
}

/** Returns the set that the state and the private state describe. */
export function knownFrom(
  state: SetState,
  { observed, leftIds }: Pick<Memory, 'observed' | 'leftIds'>,
): KnownSet {
  return { ...withLost(knownSet(state), observed), leftIds };
}

/**
 * Returns the earlier ids of members that the primary still lists. An id that is connected is left
 * out, because it belongs to another cluster now.
 *
 * @param after the state with the present ids
 */
export function leftIdsAfter(
  before: KnownSet | undefined,
  after: SetState,
  observation: Observation,
): readonly string[] {
  if (before === undefined) return [];
  const present = Object.values(knownSet(after).ids);
  const primary = Object.values(observation).find(
    (facts): facts is PrimaryFacts => facts.mode === 'primary' && facts.clusterId === before.clusterId,
  );
  const isLeft = (id: string) => {
    if (present.includes(id)) return false;
    if (primary === undefined) return true;
    const isListed = Object.hasOwn(primary.secondaries, id) || Boolean(primary.filters[id]);
    return isListed && primary.secondaries[id] !== 'connected';
  };
  return [...new Set([...Object.values(before.ids), ...(before.leftIds ?? [])])].filter(isLeft);
}

/** Returns the set that the state describes. */
export function knownSet({ primary, cluster_id, secondaries, unlisted_secondaries }: SetState): KnownSet {
  const entries = Object.entries(secondaries ?? {});
  return {
    primary,
    clusterId: cluster_id ?? '',
    ids: Object.fromEntries(entries.map(([name, { id }]) => [name, id ?? name])),
    filters: Object.fromEntries(entries.map(([name, { paths_filter }]) => [name, paths_filter])),
    unlisted: unlisted_secondaries ?? [],
  };
}

/**
 * Adds the lost primaries: another cluster took over while they did not answer, so that they may
 * still be primaries. A renamed member is not lost. Since members are recognized by their own ids,
 * nothing is added if one of them could not be read.
 */
function withLost(known: KnownSet, observed: Observation): KnownSet {
  const members = knownMembers(known);
  const ids = members.map((name) => observed[name]?.self?.id);
  if (ids.includes(undefined)) return known;
  const lost = Object.keys(observed).filter((name) => {
    const facts = observed[name]!;
    if (members.includes(name) || facts.mode !== 'primary' || facts.clusterId !== known.clusterId)
      return false;
    return facts.self !== undefined && !ids.includes(facts.self.id);
  });
  return { ...known, lost };
}

/** Returns the settings of the steps, including steps under the earlier primary. */
export function settingsOf(values: SetValues, state: SetState | null): SetSettings {
  const sets = state ? [state, values] : [values];
  return {
    under: sets.reduce(withSettings, {}),
    limits: {
      modeChange: timeoutOf('mode_change', values.timeouts, REPLICATION_SET_TIMEOUTS),
      takeover: timeoutOf('takeover', values.timeouts, REPLICATION_SET_TIMEOUTS),
      sync: timeoutOf('sync', values.timeouts, REPLICATION_SET_TIMEOUTS),
    },
    immediate: values.switchover === 'immediate',
  };
}

/** Adds the settings of a set under its primary. */
function withSettings(before: SetSettings['under'], set: SetValues): SetSettings['under'] {
  const addresses = Object.entries(addressesOf(set)).map(
    ([name, primaryClusterAddr]) => [name, { secondaries: {}, ...before[name], primaryClusterAddr }] as const,
  );
  const under: SetSettings['under'] = { ...before, ...Object.fromEntries(addresses) };
  const secondaries = Object.entries(set.secondaries ?? {}).map(
    ([name, secondary]) => [name, secondarySettings(secondary)] as const,
  );
  return { ...under, [set.primary]: { ...under[set.primary], secondaries: Object.fromEntries(secondaries) } };
}

/**
 * Returns the settings of a secondary. Missing fields are not sent, so that the server's defaults
 * apply.
 */
function secondarySettings(secondary: SecondaryOfSet): SecondarySettings {
  const contact = Object.entries(secondary).filter(([field]) => field in PRIMARY_CONTACT_FIELDS);
  return {
    delivery: secondary.token_delivery as TokenDelivery,
    contact: Object.fromEntries(contact.filter(([, value]) => value !== null)),
  };
}

/**
 * Returns the clusters that must be checked for data, because the loss of their data is not
 * confirmed.
 */
export function unconfirmed({ wanted }: Goal): readonly string[] {
  return Object.entries(wanted.secondaries)
    .filter(([, { dataLoss }]) => dataLoss !== 'confirmed')
    .map(([name]) => name);
}
