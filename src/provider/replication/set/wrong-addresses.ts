/**
 * The check for addresses that lead to the cluster of another member. A refresh does not read the
 * ids of known clusters, so that an unchanged set needs few requests. It reads them only if two
 * members report the same role, which only one cluster can have.
 */
import { REPLICATION_SET } from '../../../model';
import { VaultError, type Health } from '../../../client';
import { MessageError } from '../../messages';
import type { Performer } from './perform';
import { quote, reportSameSecondary, type ClusterFacts, type Observation } from './planner';

/**
 * Refuses two addresses that lead to one cluster, and an address that leads to different clusters
 * in turns, such as that of a load balancer. The facts stay as they are, because a plan compares
 * them with those of the last apply.
 *
 * @throws MessageError
 */
export async function refuseWrongAddresses(observation: Observation, performer: Performer): Promise<void> {
  const names = Object.keys(observation);
  const doubles = names.filter((name) =>
    names.some((other) => other !== name && reportTheSame(observation[other]!, observation[name]!)),
  );
  const places = await Promise.all(doubles.map((name) => placeOf(name, observation[name]!, performer)));
  for (const [at, name] of doubles.entries()) {
    const place = places[at];
    const other = places.findIndex((each) => each !== undefined && each === place);
    if (place !== undefined && other < at) throw leadToOne(doubles[other]!, name);
  }
}

function reportTheSame(facts: ClusterFacts, other: ClusterFacts): boolean {
  if (facts.unreachable !== undefined || other.unreachable !== undefined) return false;
  if (facts.mode === 'primary') return other.mode === 'primary' && facts.clusterId === other.clusterId;
  return reportSameSecondary(facts, other);
}

/**
 * Returns the id of the cluster at an address, followed by the address of its active node, because
 * clusters that were restored from one snapshot have the same id.
 *
 * @returns `undefined` if the server does not report both
 */
async function placeOf(
  name: string,
  { mode }: ClusterFacts,
  performer: Performer,
): Promise<string | undefined> {
  const member = performer.member(name);
  try {
    // Two requests are made, because a load balancer may lead every second one to another cluster.
    const [first, second] = [await member.health(), await member.health()];
    const modes = [first, second].map(({ replication_performance_mode: each }) => each).filter(isInSet);
    const differing = modes.find((each) => each !== mode);
    if (differing !== undefined) throw leadsToSeveral(name, `the mode ${mode}, then ${differing}`);
    const [id, then] = [idOf(first), idOf(second)];
    if (id === undefined || then === undefined) return undefined;
    if (id !== then) throw leadsToSeveral(name, `the cluster id ${quote(id)}, then ${quote(then)}`);
    const address = await member.clusterAddress();
    return address && `${id} ${address}`;
  } catch (error) {
    if (VaultError.is(error)) return undefined;
    throw error;
  }
}

function isInSet(mode: unknown): mode is 'primary' | 'secondary' {
  return mode === 'primary' || mode === 'secondary';
}

function idOf({ cluster_id: id }: Health): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function leadToOne(one: string, other: string): MessageError {
  return new MessageError({
    summary: `${REPLICATION_SET.title}: the addresses of ${quote(one)} and ${quote(other)} lead to the same cluster`,
    details: 'Both report the same cluster id (sys/health), and the same active node (sys/leader).',
    cures:
      "correct the address of one of them in the provider's configuration, or list the cluster only once",
  });
}

function leadsToSeveral(name: string, answers: string): MessageError {
  return new MessageError({
    summary: `${REPLICATION_SET.title}: the address of ${quote(name)} leads to different clusters`,
    details: `Within a moment it reported first ${answers} (sys/replication/performance/status, sys/health).`,
    cures:
      `correct the address of cluster ${quote(name)} in the provider's configuration, or the load balancer behind it, so that it ` +
      'always leads to the same cluster. If the cluster was just promoted or demoted, plan again',
  });
}
