import { mayLoseDataByUpdatePrimary } from '../../../../model';
import { cannotReplicate } from '../../shared/modes';
import type { PrimaryFacts, World } from './facts';
import { formerMembers, membersOf, type Goal, type KnownSet } from './goal';
import type { Refusal } from './course';
import {
  cutOff,
  cutOffSecondaries,
  incompleteSuccessor,
  lostPredecessor,
  primaryElsewhere,
  primaryOutsideOfSet,
  switchOverAtCreation,
  unreachableSuccessor,
} from './promotion-checks';
import { hasSteppedDown, isAttached, primariesOf, setId } from './relations';
import { list, quote } from './messages';

type Check = (goal: Goal, world: World) => readonly Refusal[];

/** Why a plan is refused, in the order in which the user must fix it. */
const CHECKS: readonly Check[] = [
  unsupportedStorage,
  drSecondaries,
  severalPrimaries,
  primaryOutsideOfSet,
  unreachableSuccessor,
  foreignSecondaries,
  switchOverAtCreation,
  incompleteSuccessor,
  cutOffSecondaries,
  primaryElsewhere,
  lostPredecessor,
  unconfirmedLosses,
  unconfirmedRejoins,
  lossyUpdates,
];

/** Why a configured set must not be applied: the first kind of reason, for each affected cluster. */
export function refusals(goal: Goal, world: World): readonly Refusal[] {
  return CHECKS.map((check) => check(goal, world)).find((found) => found.length > 0) ?? [];
}

/** Why a set must not be destroyed. */
export function refusalsOfEnding(known: KnownSet, world: World): readonly Refusal[] {
  const facts = world[known.primary];
  if (facts?.mode !== 'primary' || facts.clusterId !== known.clusterId) return [];
  return cutOff(known.primary, facts, Object.values(known.ids), 'ended');
}

function unsupportedStorage(goal: Goal, world: World): readonly Refusal[] {
  return membersOf(goal)
    .filter((name) => world[name]?.mode === 'unsupported')
    .map((name) => {
      const [summary, detail] = cannotReplicate(quote(name));
      return { path: pathOf(goal, name), summary, detail };
    });
}

/** What it holds is another cluster's, which it stands in for: it is not empty, and not to be erased. */
function drSecondaries(goal: Goal, world: World): readonly Refusal[] {
  return membersOf(goal)
    .filter((name) => world[name]?.mode === 'dr_secondary' && world[name].unreachable === undefined)
    .map((name) => ({
      path: pathOf(goal, name),
      summary: `the address of ${quote(name)} leads to a secondary of disaster recovery`,
      detail:
        'It holds a copy of its primary, and serves no requests until it is promoted (HTTP 472).\n' +
        `To do: correct the address of cluster ${quote(name)} in the provider's configuration, so that it leads to the ` +
        'cluster that serves requests; or, after a disaster, promote the DR secondary first.',
    }));
}

/** Only a person can decide whose writes to keep. */
function severalPrimaries(goal: Goal, world: World): readonly Refusal[] {
  const primaries = primariesOf(goal, world);
  const { primary } = goal.wanted;
  if (primaries.length < 2) return [];
  const ids = new Set(primaries.map((name) => (world[name] as PrimaryFacts).clusterId));
  const others = primaries.filter((name) => name !== primary);
  if (ids.size === 1) {
    return [
      {
        path: ['primary'],
        summary: `${list(primaries)} are both primaries of this replication set`,
        detail:
          'There must never be more than one: writes to one of them are lost when it follows the other. Nothing was changed.\n' +
          'To do: determine which one has the writes to keep, and save what it lacks from the others. Then demote the others ' +
          '(vault write -f sys/replication/performance/primary/demote), set primary to the remaining one and apply: ' +
          'the others follow it without being erased, but lose the writes that it lacks.',
      },
    ];
  }
  return others.map((name) => ({
    path: pathOf(goal, name),
    summary: `${quote(name)} is the primary of another replication set`,
    detail:
      `Cluster id of its set: ${quote((world[name] as PrimaryFacts).clusterId)}.\n` +
      `To do: remove ${quote(name)} from this set; or, if its own set is no longer needed, disable replication first on its secondaries and then on it.`,
  }));
}

function foreignSecondaries(goal: Goal, world: World): readonly Refusal[] {
  const { primary, secondaries } = goal.wanted;
  const id = world[primary]?.mode === 'disabled' ? undefined : setId(goal, world);
  return Object.keys(secondaries).flatMap((name) => {
    const facts = world[name];
    if (facts?.mode !== 'secondary' || facts.clusterId === id || facts.unreachable !== undefined) return [];
    return facts.clusterId === goal.known?.clusterId
      ? [orphan(name, primary, facts.clusterId)]
      : [foreign(name, facts.clusterId)];
  });
}

function foreign(name: string, clusterId: string): Refusal {
  return {
    path: ['secondaries', name],
    summary: `${quote(name)} is a secondary of another replication set`,
    detail:
      `Cluster id of that set: ${quote(clusterId)}.\n` +
      `To do: remove ${quote(name)} from this set; or disable replication on it first ` +
      '(vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss.',
  };
}

/** The primary was replaced or disabled. Its secondaries may hold the only remaining data. */
function orphan(name: string, primary: string, clusterId: string): Refusal {
  return {
    path: ['secondaries', name],
    summary: `${quote(name)} still holds the data of this replication set, but ${quote(primary)} is no longer its primary`,
    detail:
      `Cluster id of the set: ${quote(clusterId)}. Replication on ${quote(primary)} was disabled, or the cluster was replaced.\n` +
      `To keep the data of ${quote(name)}: set primary and force_promotion to ${quote(name)}, which then takes over.\n` +
      `To continue with the data of ${quote(primary)}: disable replication on ${quote(name)} ` +
      '(vault write -f sys/replication/performance/secondary/disable), and confirm the loss of its data with confirm_data_loss.',
  };
}

/** The data of a cluster is only erased if this was confirmed with its name, and only once per confirmation. */
function unconfirmedLosses({ wanted }: Goal, world: World): readonly Refusal[] {
  return Object.entries(wanted.secondaries).flatMap(([name, { dataLoss }]) => {
    const facts = world[name];
    if (facts?.mode !== 'disabled' || facts.unreachable !== undefined || dataLoss === 'confirmed') return [];
    const { holds } = facts;
    if (holds?.length === 0) return [];
    const found =
      holds === undefined ? 'Its data could not be determined.' : `It holds: ${holds.join(', ')}.`;
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} holds data, which would be erased if it joins the replication set`,
        detail: `${found}\nTo do: ${dataLoss === 'used' ? confirmAgain(name) : confirm(name)}`,
      },
    ];
  });
}

/** In some versions a secondary may lose data when it gets another primary, and nothing shows it afterwards. */
function lossyUpdates(goal: Goal, world: World): readonly Refusal[] {
  const { primary, secondaries } = goal.wanted;
  const present = world[primary];
  return Object.entries(secondaries).flatMap(([name, { id }]) => {
    const facts = world[name];
    const version = facts?.self?.version;
    if (version === undefined || !mayLoseDataByUpdatePrimary(version)) return [];
    const isFollower = facts?.mode === 'secondary' || (facts?.mode === 'primary' && name !== primary);
    if (!isFollower || facts.unreachable !== undefined) return [];
    const stays =
      facts.mode === 'secondary' &&
      present?.mode === 'primary' &&
      facts.secondaryId === id &&
      isAttached(facts, present);
    if (stays) return [];
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} may lose data if it gets another primary: its server has version ${version}`,
        detail:
          'Known issue of Vault, "update-primary data loss": data that an allow filter keeps may be deleted without a trace, ' +
          'and the merkle tree may be corrupted.\n' +
          `To do: upgrade ${quote(name)} to 1.11.12, 1.12.9, 1.13.5, 1.14.1 or later first, and then its primary; or remove ` +
          `${quote(name)} from the set, and let it join again.`,
      },
    ];
  });
}

/** A primary that was replaced by force, or in an unknown way, may have writes that no other cluster has. */
function unconfirmedRejoins({ wanted, known }: Goal, world: World): readonly Refusal[] {
  const isForced = (name: string) =>
    wanted.forced && (name === known?.primary || hasSteppedDown(world[name]));
  const isStranger = (name: string) =>
    hasSteppedDown(world[name]) && name !== known?.primary && !Object.hasOwn(known?.ids ?? {}, name);
  return Object.entries(wanted.secondaries).flatMap(([name, { dataLoss }]) => {
    if (dataLoss === 'confirmed' || !(isForced(name) || isStranger(name))) return [];
    const reason = wanted.forced
      ? `force_promotion lets ${quote(wanted.primary)} take over without them. A planned switchover does not need force_promotion.`
      : 'It was a primary of this set and stepped down, but is not in the set that Terraform knows: another cluster may have taken over by force.';
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} may have writes that ${quote(wanted.primary)} lacks, and would lose them by following it`,
        detail: `${reason}\nTo do: ${confirm(name)}`,
      },
    ];
  });
}

function confirm(name: string): string {
  return `save what you need and confirm the loss with confirm_data_loss = ${quote(name)} in secondaries[${quote(name)}]; or remove it from the set.`;
}

function confirmAgain(name: string): string {
  return (
    `confirm_data_loss = ${quote(name)} was used up when it first joined. It has since left the set outside of Terraform. ` +
    `If its data may be lost, remove ${quote(name)} from secondaries and apply; then add it again with confirm_data_loss.`
  );
}

/** The path of a cluster in the configuration, if it has one. */
function pathOf(goal: Goal, name: string): Refusal['path'] {
  if (name === goal.wanted.primary) return ['primary'];
  return formerMembers(goal).includes(name) ? [] : ['secondaries', name];
}
