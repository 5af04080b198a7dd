import { isOlder } from '../../../../model/versions';
import type { Refusal } from './course';
import { factsOf, type ClusterFacts, type World } from './facts';
import type { Goal } from './goal';
import { quote } from './messages';
import { isAttached, presentPrimary } from './relations';

/** It is not safe to replicate from a newer version to an older one. Secondaries that already follow are left alone. */
export function olderFollowers(goal: Goal, world: World): readonly Refusal[] {
  const { primary, secondaries } = goal.wanted;
  const facts = factsOf(world, primary);
  const version = versionOf(facts);
  if (version === undefined) return [];
  return Object.keys(secondaries).flatMap((name) => {
    const others = factsOf(world, name);
    const own = versionOf(others);
    const follows = facts.mode === 'primary' && others.mode === 'secondary' && isAttached(others, facts);
    if (own === undefined || follows || !isOlder(own, numbersOf(version))) return [];
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} has an older version than ${quote(primary)} and must not follow it`,
        detail:
          `Version of ${quote(name)}: ${own}. Version of ${quote(primary)}: ${version}. It is not safe to replicate from a newer ` +
          'version to an older one.\n' +
          `To do: upgrade ${quote(name)} to ${version} first, then apply again. Order of upgrades: first all secondaries, then ` +
          'the primary.',
      },
    ];
  });
}

/** A successor has all data if its digest is that of the primary: with a corrupted tree this proves nothing. */
export function corruptedTrees(goal: Goal, world: World): readonly Refusal[] {
  const { primary, forced } = goal.wanted;
  const present = presentPrimary(goal, world);
  if (forced || factsOf(world, primary).mode !== 'secondary') return [];
  const names = [primary, ...(present === undefined ? Object.keys(goal.known?.ids ?? {}) : [present])];
  const corrupted = names.find((name) => {
    const facts = factsOf(world, name);
    return 'corrupted' in facts && facts.corrupted === true;
  });
  if (corrupted === undefined) return [];
  return [
    {
      path: ['primary'],
      summary: `the merkle tree of ${quote(corrupted)} is corrupted: ${quote(primary)} cannot take over`,
      detail:
        'Its replication status has corrupted_merkle_tree = true. It could not be determined whether the successor has all writes, ' +
        'because equal digests then prove nothing.\n' +
        `To do: reindex ${quote(corrupted)} (vault write -f sys/replication/reindex), wait until corrupted_merkle_tree is false, and ` +
        'apply again.',
    },
  ];
}

/** @returns `undefined` if the version is not known for certain. */
function versionOf({ unreachable, self }: ClusterFacts): string | undefined {
  return unreachable === undefined ? self?.version : undefined;
}

/** `1.21.0` of `1.21.0+ent`. */
function numbersOf(version: string): string {
  return /^\d+(\.\d+)*/.exec(version)?.[0] ?? version;
}
