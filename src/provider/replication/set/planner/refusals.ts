import { cannotReplicate } from '../../shared/modes';
import type { PrimaryFacts, World } from './facts';
import { formerMembers, membersOf, withholds, type Goal, type KnownSet } from './goal';
import type { Refusal } from './refusal';
import { hasSteppedDown, presentPrimary, primariesOf, setId } from './relations';
import { list, quote } from './messages';

type Check = (goal: Goal, world: World) => readonly Refusal[];

/** What must not be done, in the order in which people have to mend it. */
const CHECKS: readonly Check[] = [
  unsupportedStorage,
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
];

/** Why nothing must be done towards a wanted set: the first kind of reason, for each cluster that it is about. */
export function refusals(goal: Goal, world: World): readonly Refusal[] {
  return CHECKS.map((check) => check(goal, world)).find((found) => found.length > 0) ?? [];
}

/** Why a set must not be ended. */
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

/** Nobody but a person can say whose writes are to be kept. */
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
          'There must never be more than one: what is written to one of them is lost when it follows the other. Nothing was changed.\n' +
          'To do: find out which one has the writes to keep, and save from the others what it lacks. Then demote the others ' +
          '(vault write -f sys/replication/performance/primary/demote), name the one that stays as primary, and apply: ' +
          'the others follow it without being erased, and lose the writes that it lacks.',
      },
    ];
  }
  return others.map((name) => ({
    path: pathOf(goal, name),
    summary: `${quote(name)} is the primary of another replication set`,
    detail:
      `Cluster id of its set: ${quote((world[name] as PrimaryFacts).clusterId)}. A set is not taken apart to join another one.\n` +
      `To do: take ${quote(name)} out of this set; or, where its own set is not needed any more, first disable replication on its secondaries and then on it.`,
  }));
}

function primaryOutsideOfSet(goal: Goal, world: World): readonly Refusal[] {
  const { primary } = goal.wanted;
  const facts = world[primary];
  const [present] = primariesOf(goal, world);
  if (present === undefined || present === primary || !facts || facts.unreachable !== undefined) return [];
  const { clusterId } = world[present] as PrimaryFacts;
  if (facts.mode === 'secondary' && facts.clusterId === clusterId) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} cannot become the primary: ${quote(present)} is one, and ${quote(primary)} is not among its secondaries`,
      detail:
        `Status of ${quote(primary)}: ${facts.mode}.\n` +
        `To do: set primary to ${quote(present)}, and ${quote(primary)} among the secondaries; apply, which makes it one. ` +
        `Then set primary to ${quote(primary)}, and apply again.`,
    },
  ];
}

/** After a fail-over by hand the old primary may come back at any time. */
function unreachableSuccessor(goal: Goal, world: World): readonly Refusal[] {
  const { primary } = goal.wanted;
  const [present] = primariesOf(goal, world);
  const reason = world[primary]?.unreachable;
  if (present === undefined || present === primary || reason === undefined) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} is to be the primary and cannot be reached, and ${quote(present)} is one`,
      detail:
        `${quote(primary)}: ${reason}\n` +
        `To do: set primary to ${quote(present)}, which has taken over; or bring ${quote(primary)} back first. ` +
        `Where it comes back as a primary, demote it before it takes writes.`,
    },
  ];
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
      `To do: take ${quote(name)} out of this set; or first disable replication on it ` +
      '(vault write -f sys/replication/performance/secondary/disable), and confirm the loss of what it holds by confirm_data_loss.',
  };
}

/** The primary was replaced or switched off. What its secondaries hold may be all that is left. */
function orphan(name: string, primary: string, clusterId: string): Refusal {
  return {
    path: ['secondaries', name],
    summary: `${quote(name)} still holds the data of this replication set, and ${quote(primary)} is not its primary any more`,
    detail:
      `Cluster id of the set: ${quote(clusterId)}. Replication on ${quote(primary)} was disabled, or the cluster was set up anew.\n` +
      `To keep what ${quote(name)} holds: set primary and force_promotion to ${quote(name)}, which then takes over.\n` +
      `To go on with what ${quote(primary)} holds: disable replication on ${quote(name)} ` +
      '(vault write -f sys/replication/performance/secondary/disable), and confirm the loss of what it holds by confirm_data_loss.',
  };
}

/** A set that exists already is imported: creating it must not move the primary. */
function switchOverAtCreation(goal: Goal, world: World): readonly Refusal[] {
  const { primary } = goal.wanted;
  if (goal.known || world[primary]?.mode !== 'secondary') return [];
  const [present] = primariesOf(goal, world);
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} is a secondary of a replication set already`,
      detail:
        `Its primary: ${present === undefined ? 'none of the clusters named here' : quote(present)}.\n` +
        'To do: import the set under the name of its present primary; then change primary and apply, which switches over.',
    },
  ];
}

/** What a filter keeps from a secondary would be lost with its promotion. */
function incompleteSuccessor(goal: Goal, world: World): readonly Refusal[] {
  const { primary, forced } = goal.wanted;
  const present = presentPrimary(goal, world);
  const [facts, before] = [world[primary], present === undefined ? undefined : world[present]];
  if (forced || facts?.mode !== 'secondary' || before?.mode !== 'primary') return [];
  if (!withholds(before.filters[facts.secondaryId])) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} has a paths filter, and so not all data: as the primary it would lose the rest for the whole set`,
      detail:
        `To do: with ${quote(present!)} still as primary, remove the paths filter of ${quote(primary)} and apply. ` +
        'Once it has received everything, change primary.',
    },
  ];
}

/** Whoever follows the primary under an id that is not of this set would be left behind. */
function cutOffSecondaries(goal: Goal, world: World): readonly Refusal[] {
  const { wanted, known } = goal;
  const [present] = primariesOf(goal, world);
  if (present === undefined || present === wanted.primary) return [];
  const ids = [...Object.values(known?.ids ?? {}), ...Object.values(wanted.secondaries).map(({ id }) => id)];
  return cutOff(present, world[present] as PrimaryFacts, ids, `replaced by ${quote(wanted.primary)}`);
}

function cutOff(
  primary: string,
  facts: PrimaryFacts,
  ids: readonly string[],
  fate: string,
): readonly Refusal[] {
  const others = Object.keys(facts.secondaries).filter((id) => !ids.includes(id));
  if (others.length === 0) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} has secondaries that are not in this set, and would lose their primary: ${list(others)}`,
      detail:
        `${quote(primary)} is to be ${fate}.\n` +
        'To do: name the clusters of these ids among the secondaries; or revoke the ids that nobody uses ' +
        '(vault write sys/replication/performance/primary/revoke-secondary id=...).',
    },
  ];
}

/** The last primary follows another one already, which may take writes and is none of the clusters that were asked. */
function primaryElsewhere(goal: Goal, world: World): readonly Refusal[] {
  const { wanted, known } = goal;
  const before = known && world[known.primary];
  if (wanted.forced || before?.mode !== 'secondary' || before.unreachable !== undefined) return [];
  if (!before.connected || primariesOf(goal, world).length > 0) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(known!.primary)} follows a primary that is not in this set, or does not answer`,
      detail:
        `It was the primary when Terraform saw it last. ${quote(wanted.primary)} would be a second one.\n` +
        'To do: name the cluster that is the primary now as primary; or demote it first ' +
        '(vault write -f sys/replication/performance/primary/demote), once the clusters of this set have all its writes.',
    },
  ];
}

/** The last primary is neither primary nor secondary: whether all its writes have arrived cannot be told any more. */
function lostPredecessor(goal: Goal, world: World): readonly Refusal[] {
  const { wanted, known } = goal;
  const { primary } = wanted;
  if (wanted.forced || !known || known.primary === primary) return [];
  if (world[primary]?.mode !== 'secondary' || presentPrimary(goal, world) !== undefined) return [];
  const before = world[known.primary];
  if (before?.mode === 'secondary' && before.clusterId === setId(goal, world)) return [];
  return [
    {
      path: ['primary'],
      summary: `it cannot be told whether ${quote(primary)} has all writes of ${quote(known.primary)}, which was the primary`,
      detail:
        `Status of ${quote(known.primary)}: ${before?.mode ?? 'unknown'}.\n` +
        `To do: where ${quote(known.primary)} will not come back, or what only it has can be lost, set force_promotion to ${quote(primary)}.`,
    },
  ];
}

/** What a cluster holds is erased only where that was confirmed by its name, and once for each time. */
function unconfirmedLosses({ wanted }: Goal, world: World): readonly Refusal[] {
  return Object.entries(wanted.secondaries).flatMap(([name, { dataLoss }]) => {
    const facts = world[name];
    if (facts?.mode !== 'disabled' || facts.unreachable !== undefined || dataLoss === 'confirmed') return [];
    const { holds } = facts;
    if (holds?.length === 0) return [];
    const found =
      holds === undefined ? 'It could not be seen what it holds.' : `It holds: ${holds.join(', ')}.`;
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} holds data, which joining the replication set would erase`,
        detail: `${found}\nTo do: ${dataLoss === 'used' ? confirmAgain(name) : confirm(name)}`,
      },
    ];
  });
}

/** A primary that was replaced by force, or nobody knows how, may have writes that nobody else has. */
function unconfirmedRejoins({ wanted, known }: Goal, world: World): readonly Refusal[] {
  const isForced = (name: string) =>
    wanted.forced && (name === known?.primary || hasSteppedDown(world[name]));
  const isStranger = (name: string) =>
    hasSteppedDown(world[name]) && name !== known?.primary && !Object.hasOwn(known?.ids ?? {}, name);
  return Object.entries(wanted.secondaries).flatMap(([name, { dataLoss }]) => {
    if (dataLoss === 'confirmed' || !(isForced(name) || isStranger(name))) return [];
    const reason = wanted.forced
      ? `force_promotion lets ${quote(wanted.primary)} take over without them. A planned switch-over needs no force_promotion.`
      : 'It was a primary of this set and stepped down, and is not in the set that Terraform knows: another may have taken over by force.';
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} may have writes that ${quote(wanted.primary)} lacks, and loses them when it follows it`,
        detail: `${reason}\nTo do: ${confirm(name)}`,
      },
    ];
  });
}

function confirm(name: string): string {
  return `save what is needed, and confirm the loss by confirm_data_loss = ${quote(name)} in secondaries[${quote(name)}]; or take it out of the set.`;
}

function confirmAgain(name: string): string {
  return (
    `confirm_data_loss = ${quote(name)} was for the time when it joined first. It has left the set since, not by Terraform. ` +
    `Where what it holds can be lost, take ${quote(name)} out of secondaries and apply; then put it back with confirm_data_loss.`
  );
}

/** Where a cluster stands in the configuration, as far as it does. */
function pathOf(goal: Goal, name: string): Refusal['path'] {
  if (name === goal.wanted.primary) return ['primary'];
  return formerMembers(goal).includes(name) ? [] : ['secondaries', name];
}
