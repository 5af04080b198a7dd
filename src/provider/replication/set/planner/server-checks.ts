import { mayLoseDataByUpdatePrimary } from '../../../../model';
import { literal, or, phrase, remove, set, type Message, type Phrase } from '../../../../model/messages';
import { isOlder } from '../../../../model/versions';
import type { Refusal } from './step-plan';
import { factsOf, type ClusterFacts, type Observation, type PrimaryFacts } from './facts';
import { withholds, type Goal } from './goal';
import { positionOf } from './losses';
import {
  confirmation,
  DISABLE_PRIMARY,
  disablePrimary,
  list,
  quote,
  setBack,
  setForce,
  setPrimary,
  setPrimaryByForce,
} from './messages';
import { hasSteppedDown, isAttached, presentPrimary } from './relations';

/**
 * Refuses to replicate from a newer version to an older one, which is not safe. Secondaries that
 * already follow their primary are accepted.
 */
export function olderFollowers(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary, secondaries } = goal.wanted;
  const facts = factsOf(observation, primary);
  const version = versionOf(facts);
  if (version === undefined) return [];
  const older = Object.keys(secondaries).flatMap((name) => {
    const others = factsOf(observation, name);
    const own = versionOf(others);
    const follows = facts.mode === 'primary' && others.mode === 'secondary' && isAttached(others, facts);
    return own !== undefined && !follows && isOlder(own, numbersOf(version)) ? [{ name, version: own }] : [];
  });
  if (older.length === 0) return [];
  const names = older.map(({ name }) => name);
  const [one, ...others] = names;
  const haveOlder = others.length === 0 ? 'has an older version' : 'have older versions';
  const versions = older.map((each) => `Version of ${quote(each.name)}: ${each.version}. `).join('');
  return [
    {
      path: others.length === 0 ? ['secondaries', one!] : ['secondaries'],
      summary: `${list(names)} ${haveOlder} than ${quote(primary)} and must not follow it`,
      details: `${versions}Version of ${quote(primary)}: ${version}. It is not safe to replicate from a newer version to an older one.`,
      cures: [
        phrase`upgrade ${list(names)} to ${version} first, then apply again. Order of upgrades: first all secondaries, then
          the primary.`,
        ...withoutUpgrade(names, goal, observation),
      ],
    },
  ];
}

/**
 * Returns the alternatives to an upgrade if the set has no primary: no write is possible during an
 * upgrade.
 */
function withoutUpgrade(older: readonly string[], goal: Goal, observation: Observation): readonly Phrase[] {
  const { primary, forced } = goal.wanted;
  const present = presentPrimary(goal, observation);
  const isUrgent = present === undefined || factsOf(observation, present).unreachable !== undefined;
  if (!isUrgent || factsOf(observation, primary).mode !== 'secondary') return [];
  const oldest = oldestSecondary(goal, observation);
  const other =
    oldest === undefined
      ? ''
      : phrase` ${or('Or')} ${forced ? setPrimaryByForce(oldest) : setPrimary(oldest)}, which has the oldest version: all others may follow it.`;
  const what =
    older.length === 1
      ? 'it leaves the set and keeps its data, and when it joins again after the upgrade, its data is erased.'
      : 'they leave the set and keep their data, and when they join again after the upgrade, their data is erased.';
  return [
    phrase`Nothing can be written until there is a primary. Without an upgrade, either remove ${list(older)} from
      secondaries: ${what}${other}`,
  ];
}

/**
 * Returns the unfiltered secondary with the oldest version, which all others may follow. If several
 * have this version, returns the one with the most data.
 */
function oldestSecondary({ wanted, known }: Goal, observation: Observation): string | undefined {
  const versions = Object.keys(wanted.secondaries).flatMap((name) => {
    const facts = factsOf(observation, name);
    const version = facts.mode === 'secondary' ? versionOf(facts) : undefined;
    return version === undefined ? [] : [{ name, version, position: positionOf(facts) }];
  });
  return versions
    .filter(
      ({ name, version }) =>
        !withholds(known?.filters[name]) &&
        !versions.some((each) => isOlder(each.version, numbersOf(version))),
    )
    .sort((one, another) => another.position - one.position)[0]?.name;
}

/**
 * Refuses a switchover with a corrupted merkle tree: equal merkle roots then do not prove that a
 * successor has all data.
 */
export function corruptedTrees(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary, forced } = goal.wanted;
  const present = presentPrimary(goal, observation);
  if (forced || factsOf(observation, primary).mode !== 'secondary') return [];
  // If the last primary becomes the primary again, no writes are lost.
  const last = goal.known?.primary;
  const isBack = last !== undefined && hasSteppedDown(factsOf(observation, last));
  if (last === primary && isBack) return [];
  const names = [primary, ...(present === undefined ? Object.keys(goal.known?.ids ?? {}) : [present])];
  const corrupted = names.find((name) => hasDigest(factsOf(observation, name), 'wrong'));
  if (corrupted === undefined) return [];
  return [
    {
      path: ['primary'],
      summary: `the merkle tree of ${quote(corrupted)} is corrupted: ${quote(primary)} cannot take over`,
      details:
        'Its replication status has corrupted_merkle_tree = true. It could not be determined whether the successor has all writes, ' +
        'because equal digests then prove nothing.',
      cures: phrase`reindex ${quote(corrupted)} (vault write -f sys/replication/reindex), wait until corrupted_merkle_tree is false, and
          apply again.${
            present === undefined && isBack
              ? phrase` No cluster is the primary now. ${or('To restore')} one at once, ${setBack(last)} and apply.`
              : ''
          }`,
    },
  ];
}

/**
 * Refuses a switchover that could not be completed: without a merkle root it is unknown whether the
 * successor has all writes.
 */
export function missingDigests(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary, forced } = goal.wanted;
  const present = presentPrimary(goal, observation);
  const successor = factsOf(observation, primary);
  if (forced || present === undefined || successor.mode !== 'secondary') return [];
  const isMissing = [successor, factsOf(observation, present)].some((facts) => hasDigest(facts, 'missing'));
  return isMissing ? [{ path: ['primary'], ...incomparable(present, primary) }] : [];
}

/** Describes that a cluster's writes cannot be compared with those of its successor. */
export function incomparable(primary: string, successor: string): Message & { readonly summary: string } {
  return {
    summary: `could not determine whether ${quote(successor)} has all writes of ${quote(primary)}`,
    details: 'Their replication status has no merkle_root to compare.',
    cures: phrase`stop the writers, ${setForce(successor)}, and use
        ${confirmation(primary)} to confirm that the writes that only ${quote(primary)} has may be lost.
        ${or('Or')} ${setPrimary(primary, `keep ${quote(primary)} as the primary`)}.`,
  };
}

function hasDigest(facts: ClusterFacts, digest: PrimaryFacts['digest']): boolean {
  return 'digest' in facts && facts.digest === digest;
}

/** @returns `undefined` if the version is not certain */
function versionOf({ unreachable, self }: ClusterFacts): string | undefined {
  return unreachable === undefined ? self?.version : undefined;
}

/** Returns `1.21.0` for `1.21.0+ent`. */
function numbersOf(version: string): string {
  return /^\d+(\.\d+)*/.exec(version)?.[0] ?? version;
}

/**
 * Refuses to erase a cluster if the primary still gives out another address than
 * primary_cluster_addr, and no secondary is connected at it. If that address is wrong, the erased
 * cluster never reaches the primary, and before that it accepts no other address.
 */
export function joinsAtOldAddress({ wanted }: Goal, observation: Observation): readonly Refusal[] {
  const { primary, address, secondaries } = wanted;
  const facts = factsOf(observation, primary);
  if (facts.mode !== 'primary' || facts.unreachable !== undefined || address === undefined) return [];
  const { clusterAddr: inUse } = facts;
  if (inUse === undefined || inUse === address || Object.values(facts.secondaries).includes('connected'))
    return [];
  const joining = Object.keys(secondaries).filter((name) => factsOf(observation, name).mode === 'disabled');
  if (joining.length === 0) return [];
  const ids = joining.map((name) => secondaries[name]!.id);
  const isAlone = Object.keys(facts.secondaries).every((id) => ids.includes(id));
  return [
    {
      path: ['primary_cluster_addr'],
      summary: `${list(joining)} would be erased, and then contact ${quote(primary)} at another address than primary_cluster_addr`,
      details:
        `Received: ${quote(address)}. In use: ${inUse === '' ? 'the address of the server' : quote(inUse)}, at which no ` +
        `secondary is connected. ${quote(primary)} takes the new address when it is enabled or promoted.`,
      cures: [
        phrase`if the address in use leads to ${quote(primary)}, ${useAddress(inUse)} until the next switchover.`,
        isAlone
          ? phrase`${or('Otherwise')} ${disablePrimary(primary, `disable replication on ${quote(primary)}`)} first
              (${DISABLE_PRIMARY}): it is then enabled with the new address.`
          : `Otherwise make another member the primary first.`,
      ],
    },
  ];
}

function useAddress(address: string): Phrase {
  const name = 'primary_cluster_addr';
  return address === '' ? remove(name) : set(name, literal(address));
}

/** Refuses a change of primary for a secondary with a version that may then lose data unnoticed. */
export function lossyUpdates(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary, secondaries } = goal.wanted;
  const present = factsOf(observation, primary);
  return Object.entries(secondaries).flatMap(([name, { id }]) => {
    const facts = factsOf(observation, name);
    const version = facts.self?.version;
    if (version === undefined || !mayLoseDataByUpdatePrimary(version)) return [];
    const isFollower = facts.mode === 'secondary' || facts.mode === 'primary';
    if (!isFollower || facts.unreachable !== undefined) return [];
    const stays =
      facts.mode === 'secondary' &&
      present.mode === 'primary' &&
      facts.secondaryId === id &&
      isAttached(facts, present);
    if (stays) return [];
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} may lose data if it gets another primary: its server has version ${version}`,
        details:
          'Known issue of Vault, "update-primary data loss": data that an allow filter includes may be deleted without a trace, ' +
          'and the merkle tree may be corrupted.',
        cures:
          `upgrade ${quote(name)} to 1.11.12, 1.12.9, 1.13.5, 1.14.1 or later first, and then its primary. Or remove ` +
          `${quote(name)} from the set, and let it join again.`,
      },
    ];
  });
}
