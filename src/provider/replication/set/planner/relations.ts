import { membersOf, watchedBy, type Goal } from './goal';
import {
  factsOf,
  type Announced,
  type ClusterFacts,
  type PrimaryFacts,
  type SecondaryFacts,
  type Observation,
} from './facts';

/** Returns the id of the replication set of a goal; `undefined` if the set does not exist yet. */
export function setId({ wanted, known }: Goal, observation: Observation): string | undefined {
  const facts = factsOf(observation, wanted.primary);
  return 'clusterId' in facts ? facts.clusterId : known?.clusterId;
}

/** Whether a cluster answers and is a primary. */
export function isAnsweringPrimary(facts: ClusterFacts | undefined): facts is PrimaryFacts {
  return facts?.mode === 'primary' && facts.unreachable === undefined;
}

/**
 * Returns the members that answer and are primaries, and abandoned clusters that are primaries
 * again.
 */
export function primariesOf(goal: Goal, observation: Observation): readonly string[] {
  const isPrimary = (name: string) => isAnsweringPrimary(observation[name]);
  const id = setId(goal, observation);
  const isBack = (name: string) => isPrimary(name) && (observation[name] as PrimaryFacts).clusterId === id;
  return [...membersOf(goal).filter(isPrimary), ...watchedBy(goal).filter(isBack)];
}

/** Returns the primary of the set: the one that answers, otherwise the last known primary. */
export function presentPrimary(goal: Goal, observation: Observation): string | undefined {
  const id = setId(goal, observation);
  const belongs = (name: string) => (observation[name] as PrimaryFacts).clusterId === id;
  const answering = primariesOf(goal, observation).find(belongs);
  if (answering !== undefined) return answering;
  const { wanted, known } = goal;
  const seen = known ? [wanted.primary, known.primary] : [wanted.primary];
  return seen.find((name) => factsOf(observation, name).mode === 'primary');
}

/**
 * Whether a secondary follows a primary. This includes a secondary that lost its connection,
 * because it reconnects by itself, and excludes an id with a token that was never used.
 */
export function isAttached(secondary: SecondaryFacts, primary: PrimaryFacts): boolean {
  if (secondary.clusterId !== primary.clusterId || secondary.alone) return false;
  const connection = primary.secondaries[secondary.secondaryId];
  return connection !== undefined && (connection !== 'never' || secondary.connected);
}

/**
 * Whether a secondary has a token of this primary, and has not connected with it so far: it may be
 * a new member without any data, or a former member that was given another primary.
 */
export function hasNeverConnected(facts: ClusterFacts, primary: ClusterFacts): boolean {
  if (facts.mode !== 'secondary' || primary.mode !== 'primary') return false;
  if (facts.clusterId !== primary.clusterId || facts.alone || facts.connected) return false;
  return primary.secondaries[facts.secondaryId] === 'never';
}

/**
 * Whether replication is disabled, or expected to be: a cluster that could not be read yet counts
 * as new.
 */
export function standsAlone({ mode }: ClusterFacts): boolean {
  return mode === 'disabled' || mode === 'unknown';
}

/**
 * Whether a cluster was the primary of its set, and has followed no other primary since its
 * demotion.
 */
export function hasSteppedDown(facts: ClusterFacts): boolean {
  return facts.mode === 'secondary' && (facts.secondaryId === '' || facts.alone);
}

/**
 * Whether a secondary of the same set does not follow a primary, as after a failover by hand: it
 * may have received writes that the primary never received.
 */
export function isUnattached(facts: ClusterFacts, primary: ClusterFacts): boolean {
  if (facts.mode !== 'secondary' || primary.mode !== 'primary') return false;
  return facts.clusterId === primary.clusterId && !isAttached(facts, primary);
}

/** Whether a primary is known to have all writes that a member accepted before its demotion. */
export function hasWritesOf(primary: ClusterFacts, name: string): boolean {
  return primary.mode === 'primary' && (primary.hasWritesOf ?? []).includes(name);
}

/**
 * Whether two names may be names of one cluster, because both report the same secondary id, which
 * is unique in a set. Different cluster ids show that two members are only exchanging their ids.
 */
export function isSameSecondary(facts: ClusterFacts, other: ClusterFacts): boolean {
  if (facts.self !== undefined && other.self !== undefined && facts.self.id !== other.self.id) return false;
  return reportSameSecondary(facts, other);
}

/** Whether two members report to be the same secondary of the same set. */
export function reportSameSecondary(facts: ClusterFacts, other: ClusterFacts): boolean {
  return (
    facts.mode === 'secondary' &&
    other.mode === 'secondary' &&
    facts.secondaryId !== '' &&
    facts.secondaryId === other.secondaryId &&
    facts.clusterId === other.clusterId
  );
}

/**
 * Returns the cluster that becomes the primary again if its successor cannot: the last primary, if
 * it has followed no other cluster since.
 */
export function lastPrimary({ wanted, known }: Goal, observation: Observation): string | undefined {
  if (!known || wanted.forced || known.primary === wanted.primary) return undefined;
  const isLost = wanted.abandoned.includes(known.primary);
  return !isLost && hasSteppedDown(factsOf(observation, known.primary)) ? known.primary : undefined;
}

/**
 * Returns the own id of a cluster; its name if the id is unknown. If other clusters have the same
 * id, such as copies of one snapshot, the name follows the id.
 */
export function idOf(name: string, observation: Observation): string {
  const id = observation[name]?.self?.id;
  if (id === undefined) return name;
  const isShared = Object.keys(observation).some(
    (other) => other !== name && observation[other]!.self?.id === id,
  );
  return isShared ? `${id} ${name}` : id;
}

/**
 * Whether an announced cluster is one of the given clusters. A cluster that never answered is only
 * known by its name.
 */
export function isAmong(
  { id, name }: Announced,
  clusters: readonly string[],
  observation: Observation,
): boolean {
  return clusters.some(
    (each) =>
      idOf(each, observation) === id || (each === name && factsOf(observation, each).self === undefined),
  );
}
