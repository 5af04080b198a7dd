import { mayLoseDataByUpdatePrimary, TAKEOVER_POLICY, TAKEOVER_POLICY_PATH } from '../../../../model';
import { joined, linesOf, or, phrase, remove, type Phrase } from '../../../../model/messages';
import { cannotReplicate } from '../../shared/modes';
import {
  factsOf,
  type ClusterFacts,
  type PrimaryFacts,
  type SecondaryFacts,
  type Observation,
} from './facts';
import {
  clustersIn,
  formerMembers,
  knownMembers,
  membersOf,
  type Goal,
  type KnownSet,
  type WantedSecondary,
} from './goal';
import type { Refusal } from './step-plan';
import { cutOff, unlistedSecondaries, revokedSecondaries } from './unlisted-secondaries';
import {
  abandonedPrimary,
  answeringAbandonedPrimary,
  incompleteSuccessor,
  lostPredecessor,
  primaryElsewhere,
  primaryOutsideOfSet,
  rolledBackPrimary,
  switchOverAtCreation,
  unlistedPrimary,
  unlistedSuccessor,
  unreachableSuccessor,
} from './promotion-checks';
import { betterSuccessor, isBehindForGood, lossByForce, positionOf, type Loss } from './losses';
import {
  hasNeverConnected,
  hasSteppedDown,
  hasWritesOf,
  isAttached,
  isSameSecondary,
  isUnattached,
  presentPrimary,
  primariesOf,
  setId,
} from './relations';
import {
  abandon,
  addSecondary,
  choosePrimary,
  confirmLoss,
  DEMOTE_PRIMARY,
  demoteOthers,
  demotePrimary,
  DISABLE_SECONDARY,
  disablePrimary,
  disableReplication,
  emptyStorage,
  ifNobodyCanLogIn,
  list,
  quote,
  reclaim,
  removeSecondary,
  setBack,
  setPrimary,
  setPrimaryByForce,
} from './messages';
import { corruptedTrees, joinsAtOldAddress, missingDigests, olderFollowers } from './server-checks';
import { takenIds } from './taken-ids';

interface Situation {
  readonly goal: Goal;
  readonly observation: Observation;
  /** The present and earlier ids of members. */
  readonly own: ReadonlySet<string>;
}

type Check = (goal: Goal, observation: Observation, own: ReadonlySet<string>) => readonly Refusal[];

/**
 * The checks of a plan, in the order in which the user must correct the reasons that they return.
 */
const CHECKS: readonly Check[] = [
  sameClusters,
  sharedIds,
  unsupportedStorage,
  drSecondaries,
  severalPrimaries,
  primaryOutsideOfSet,
  unreachableSuccessor,
  abandonedPrimary,
  answeringAbandonedPrimary,
  foreignSecondaries,
  switchOverAtCreation,
  incompleteSuccessor,
  unlistedSecondaries,
  primaryElsewhere,
  unlistedSuccessor,
  unlistedPrimary,
  rolledBackPrimary,
  lostPredecessor,
  lossyUpdates,
  unconfirmedLosses,
  unconfirmedRejoins,
  lossesByForce,
  takenIds,
  revokedSecondaries,
  joinsAtOldAddress,
  olderFollowers,
  corruptedTrees,
  missingDigests,
];

/**
 * Returns the reasons against the apply of a set: the first kind of reason, for each affected
 * cluster.
 *
 * @param own the present and earlier ids of members
 */
export function refusals(goal: Goal, observation: Observation, own: ReadonlySet<string>): readonly Refusal[] {
  return CHECKS.map((check) => check(goal, observation, own)).find((found) => found.length > 0) ?? [];
}

/**
 * Returns the reasons against the destroy of a set, because clusters that are not in the state may
 * have joined it.
 *
 * @param ids the ids of the members
 */
export function refusalsOfEnding(
  { primary, ids: known, clusterId, lost = [] }: KnownSet,
  ids: ReadonlySet<string>,
  observation: Observation,
): readonly Refusal[] {
  return [primary, ...Object.keys(known), ...lost].flatMap((name) => {
    const facts = observation[name];
    if (facts?.mode !== 'primary' || facts.clusterId !== clusterId) return [];
    return cutOff(name, facts, [...ids], 'This replication set will end.');
  });
}

/** Refuses a set that has one cluster under two names, because a cluster cannot follow itself. */
function sameClusters(goal: Goal, observation: Observation): readonly Refusal[] {
  const names = clustersIn(goal.wanted);
  return names.flatMap((name, index) => {
    const facts = factsOf(observation, name);
    const other = names.slice(0, index).find((each) => areSame(factsOf(observation, each), facts));
    if (other === undefined) return [];
    const { id, place } = facts.self!;
    const lead = `The addresses of both lead to the cluster with the id ${quote(id)} (sys/health)`;
    const correct =
      "correct the address of one of them in the provider's configuration, or list the cluster only once.";
    const sure = {
      summary: `${quote(other)} and ${quote(name)} are the same cluster`,
      details: `${lead}, and to the same active node (sys/leader).`,
      cures: correct,
    };
    const unsure = {
      summary: `${quote(other)} and ${quote(name)} may be the same cluster`,
      details: `${lead}, and the addresses of their active nodes are not known (sys/leader).`,
      cures: [
        correct,
        phrase`${or('If')} ${quote(name)} was restored from a snapshot of ${quote(other)}: ${emptyStorage(name)}.`,
      ],
    };
    return [{ path: pathOf(goal, name), ...(place === undefined ? unsure : sure) }];
  });
}

/**
 * Whether two names lead to the same cluster. Clusters that differ in anything else are not the
 * same, even if their ids are equal.
 */
function areSame(one: ClusterFacts, other: ClusterFacts): boolean {
  if (one.self === undefined || one.self.id !== other.self?.id || one.mode !== other.mode) return false;
  if (one.unreachable !== undefined || other.unreachable !== undefined) return false;
  if (one.self.place !== other.self.place) return false;
  return one.mode === 'secondary' && other.mode === 'secondary'
    ? one.secondaryId === other.secondaryId
    : true;
}

/**
 * Refuses two members that report the same secondary id, and whose cluster ids do not differ: they
 * may be one cluster, which cannot have two secondary ids.
 */
function sharedIds({ wanted, known }: Goal, observation: Observation): readonly Refusal[] {
  const names = clustersIn(wanted);
  return names.flatMap((name, index) => {
    const facts = factsOf(observation, name);
    const other = names.slice(0, index).find((each) => isSameSecondary(factsOf(observation, each), facts));
    if (facts.mode !== 'secondary' || other === undefined) return [];
    const given = wanted.secondaries[other]?.id;
    const isExchange = given !== undefined && given === known?.ids[name];
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(other)} and ${quote(name)} may be the same cluster`,
        details:
          `Both report the secondary id ${quote(facts.secondaryId)} of one replication set, and their servers do not report ` +
          'different cluster ids (sys/health).',
        cures: [
          phrase`if they are one cluster, ${removeSecondary(name, `remove ${quote(name)} from secondaries`)}.`,
          isExchange
            ? phrase`${or('If')} they are two that get each other's ids, first give ${quote(name)} an id that no secondary has
                (id = ... in secondaries[${quote(name)}]) and apply. Then give each the id of the other, and apply again.`
            : phrase`${or('If')} they are two, ${disableReplication(name, `disable replication on ${quote(name)}`)} (${DISABLE_SECONDARY}),
            which keeps its data, and confirm the loss of its data with ${confirmation(name)}.`,
        ],
      },
    ];
  });
}

function unsupportedStorage(goal: Goal, observation: Observation): readonly Refusal[] {
  return membersOf(goal)
    .filter((name) => factsOf(observation, name).mode === 'unsupported')
    .map((name) => ({ path: pathOf(goal, name), ...cannotReplicate(quote(name)) }));
}

/**
 * Refuses DR secondaries. They report no performance replication and look empty, but contain the
 * data of the cluster that they replace in a disaster.
 */
function drSecondaries(goal: Goal, observation: Observation): readonly Refusal[] {
  return membersOf(goal)
    .filter((name) => {
      const { mode, unreachable } = factsOf(observation, name);
      // A DR secondary may use the address of an abandoned cluster.
      const isGivenUp = goal.wanted.abandoned.includes(name);
      return mode === 'dr_secondary' && unreachable === undefined && !isGivenUp;
    })
    .map((name) => ({
      path: pathOf(goal, name),
      summary: `the address of ${quote(name)} leads to a secondary of disaster recovery`,
      details:
        'It contains a copy of its primary, and does not serve requests until it is promoted (HTTP 472).',
      cures: phrase`correct the address of cluster ${quote(name)} in the provider's configuration, so that it leads to the
        cluster that serves requests. ${or('Or')}, after a disaster, promote the DR secondary first.${withoutIt(name, goal)}`,
    }));
}

/** Returns the ways in which a set continues without a lost member. */
function withoutIt(name: string, { wanted, known }: Goal): Phrase {
  const isMember = known !== undefined && knownMembers(known).includes(name);
  if (!isMember || name === wanted.primary) return '';
  const removal = Object.hasOwn(wanted.secondaries, name)
    ? phrase`${removeSecondary(name, 'remove it from secondaries')}, and `
    : '';
  return phrase`${or(' If')} ${quote(name)} is gone for good, ${removal}${abandon(name, 'add it to abandoned_clusters')}.`;
}

/** Refuses several primaries, because only a person can decide which writes to keep. */
function severalPrimaries(goal: Goal, observation: Observation): readonly Refusal[] {
  const primaries = primariesOf(goal, observation);
  const { primary } = goal.wanted;
  if (primaries.length < 2) return [];
  const ids = new Set(primaries.map((name) => (observation[name] as PrimaryFacts).clusterId));
  const others = primaries.filter((name) => name !== primary);
  if (ids.size === 1) {
    const outside = primaries.filter((name) => !membersOf(goal).includes(name));
    const listed = outside.length === 0 ? '' : phrase`, ${moveIntoSet(outside, goal)}`;
    return [
      {
        path: ['primary'],
        summary: `${list(primaries)} are ${primaries.length === 2 ? 'both' : 'all'} primaries of this replication set`,
        details:
          'There must never be more than one: writes to one of them are lost when it follows another. ' +
          cameBack(goal, primaries),
        cures: phrase`determine which one has the writes to keep, and save what it lacks from the others. Then ${demoteOthers(
          primaries,
          `demote the others (${DEMOTE_PRIMARY})`,
        )}, ${choosePrimary('set primary to the remaining one')}${listed} and apply: the others follow it without being erased,
            but lose the writes that it lacks, which the plan asks to confirm with confirm_data_loss.`,
      },
    ];
  }
  return others.map((name) => ({
    path: pathOf(goal, name),
    summary: `${quote(name)} is the primary of another replication set`,
    details: `Cluster id of its set: ${quote((observation[name] as PrimaryFacts).clusterId)}.`,
    cures: phrase`${removeSecondary(name, `remove ${quote(name)} from this set`)}. ${or('Or')}, if its own set is no longer needed,
        ${disablePrimary(name, 'disable replication first on its secondaries and then on it')}.`,
  }));
}

/**
 * Advises to add the other primaries to the secondaries, because clusters that came back follow the
 * primary only as secondaries of the set.
 */
function moveIntoSet(names: readonly string[], { wanted }: Goal): Phrase {
  const abandoned = names.filter((name) => wanted.abandoned.includes(name));
  const removed = abandoned.map((name, at) =>
    reclaim(name, at > 0 ? '' : `remove ${list(abandoned)} from abandoned_clusters, `),
  );
  const added = names.map((name, at) =>
    addSecondary(name, at > 0 ? '' : `add ${list(names)} to secondaries`),
  );
  return joined([...removed, ...added, ' (unless it is the remaining one)']);
}

/**
 * Returns a sentence about several primaries. Some of them may be abandoned clusters that came
 * back.
 */
function cameBack({ wanted }: Goal, primaries: readonly string[]): string {
  const back = primaries.filter((name) => wanted.abandoned.includes(name));
  if (back.length === 0) return 'Clients may write to each of them now.';
  return `${list(back)} is in abandoned_clusters, but has come back as a primary: clients may write to each of them now.`;
}

function foreignSecondaries(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary, secondaries } = goal.wanted;
  const last = [goal.known?.primary ?? '', ...Object.keys(secondaries)].find((name) =>
    hasSteppedDown(factsOf(observation, name)),
  );
  const id = factsOf(observation, primary).mode === 'disabled' ? undefined : setId(goal, observation);
  return Object.keys(secondaries).flatMap((name) => {
    const facts = factsOf(observation, name);
    if (facts.mode !== 'secondary' || facts.clusterId === id || facts.unreachable !== undefined) return [];
    if (facts.clusterId !== goal.known?.clusterId) return [foreign(name, facts)];
    return facts.connected
      ? [followsAnother(name, primary, facts.clusterId)]
      : [orphan(name, facts, last, primary, factsOf(observation, primary).mode === 'primary')];
  });
}

function foreign(name: string, facts: SecondaryFacts): Refusal {
  return {
    path: ['secondaries', name],
    summary: `${quote(name)} is a secondary of another replication set`,
    details: `Cluster id of that set: ${quote(facts.clusterId)}.`,
    cures: phrase`${removeSecondary(name, `remove ${quote(name)} from this set`)}. ${or('Or')} ${disableReplication(name, 'disable replication on it')} first
        (${DISABLE_SECONDARY}), and confirm the loss of its data with ${confirmation(name)}.${ifNobodyCanLogIn(name, facts)}`,
  };
}

function noLongerPrimary(name: string, primary: string): string {
  return `${quote(name)} still holds the data of this replication set, but ${quote(primary)} is no longer its primary`;
}

/**
 * Refuses a member that is connected to a primary outside of the set: another state may have
 * switched over.
 */
function followsAnother(name: string, primary: string, clusterId: string): Refusal {
  return {
    path: ['secondaries', name],
    summary: noLongerPrimary(name, primary),
    details:
      `Cluster id of the set: ${quote(clusterId)}. ${quote(name)} is connected to its primary, which may accept writes: ` +
      `${quote(name)} would be a second primary if it was promoted.`,
    cures: phrase`${choosePrimary('set primary')} to the cluster that ${quote(name)} follows (primaries in vault read
        sys/replication/performance/status). If that primary was disabled just now, wait a minute and plan again.
        ${or('To continue')} with the data of ${quote(primary)}, ${disableReplication(name, `disable replication on ${quote(name)}`)}
        (${DISABLE_SECONDARY}), and confirm the loss of its data with ${confirmation(name)}.`,
  };
}

/**
 * Refuses a primary that was replaced or disabled, because its secondaries may hold the only
 * remaining data.
 *
 * @param last the member that stepped down last as the primary
 * @param isElsewhere whether it is the primary of another set now
 */
function orphan(
  name: string,
  facts: SecondaryFacts,
  last: string | undefined,
  primary: string,
  isElsewhere: boolean,
): Refusal {
  const takesOver =
    last === undefined
      ? phrase`${setPrimaryByForce(name)}, which then takes over`
      : phrase`${setBack(last)}, which stepped down as the last primary and loses nothing`;
  const free = isElsewhere
    ? phrase`${removeSecondary(primary, `remove ${quote(primary)} from this set`)}, and `
    : '';
  return {
    path: ['secondaries', name],
    summary: noLongerPrimary(name, primary),
    details: `Cluster id of the set: ${quote(facts.clusterId)}. Replication on ${quote(primary)} was disabled, or the cluster was replaced.`,
    cures: phrase`to keep the data of ${quote(name)}, ${free}${takesOver}.
        ${or('To continue')} with the data of ${quote(primary)}, ${disableReplication(name, `disable replication on ${quote(name)}`)}
        (${DISABLE_SECONDARY}), and confirm the loss of its data with ${confirmation(name)}.${ifNobodyCanLogIn(name, facts)}`,
  };
}

/**
 * Refuses to erase a cluster if confirm_data_loss does not name it. Each confirmation is valid
 * once.
 */
function unconfirmedLosses({ wanted }: Goal, observation: Observation): readonly Refusal[] {
  return Object.entries(wanted.secondaries).flatMap(([name, { dataLoss }]) => {
    const facts = factsOf(observation, name);
    if (facts.mode !== 'disabled' || facts.unreachable !== undefined || dataLoss === 'confirmed') return [];
    const { holds, unseen } = facts;
    if (holds?.length === 0) return [];
    const why = unseen === undefined ? '.' : `: ${unseen.replace(/\.$/, '')}.`;
    const [verb, found, look] =
      holds === undefined
        ? [
            'may hold',
            `Its data could not be determined${why} A cluster whose data is not known counts as not empty.`,
            phrase`fix the cause, so that Terraform can look, and plan again. ${or('Or ')}`,
          ]
        : ['holds', `It holds: ${holds.join(', ')}.`, ''];
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} ${verb} data, which would be erased if it joins the replication set`,
        details: found,
        cures: phrase`${look}${confirm(name, dataLoss)}`,
      },
    ];
  });
}

/** Refuses a change of primary for a secondary with a version that may then lose data unnoticed. */
function lossyUpdates(goal: Goal, observation: Observation): readonly Refusal[] {
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

/**
 * Refuses to make a cluster follow the primary if it may have writes that the primary lacks. This
 * concerns clusters that stepped down or do not follow the primary, because someone may have
 * promoted the primary by force.
 */
function unconfirmedRejoins(
  goal: Goal,
  observation: Observation,
  own: ReadonlySet<string>,
): readonly Refusal[] {
  const { wanted, known } = goal;
  const present = presentPrimary(goal, observation);
  const isProven = (name: string) =>
    present !== undefined && hasWritesOf(factsOf(observation, present), name);
  const mayHaveOwn = (name: string) =>
    hasSteppedDown(factsOf(observation, name)) || isLeftBehind(name, goal, observation);
  const follows = (name: string) => present !== undefined && mayHaveOwn(name) && !isProven(name);
  const isForced = (name: string) =>
    wanted.forced &&
    !isProven(name) &&
    (name === known?.primary || hasSteppedDown(factsOf(observation, name)));
  const losing = Object.entries(wanted.secondaries).filter(
    ([name, { dataLoss }]) => dataLoss !== 'confirmed' && (follows(name) || isForced(name)),
  );
  return [
    ...(follows(wanted.primary) ? [primaryWithOwnWrites(wanted.primary, present!, observation)] : []),
    ...losing.map(([name, { dataLoss }]) => rejoin(name, dataLoss, { goal, observation, own })),
  ];
}

/**
 * Whether a secondary does not follow the present primary. This is not checked with a forced
 * promotion, because another check compares the secondaries with the successor.
 */
function isLeftBehind(name: string, goal: Goal, observation: Observation): boolean {
  const present = presentPrimary(goal, observation);
  const [facts, primary] = [factsOf(observation, name), factsOf(observation, present ?? '')];
  if (goal.wanted.forced || facts.unreachable !== undefined || primary.unreachable !== undefined)
    return false;
  return isUnattached(facts, primary);
}

function rejoin(
  name: string,
  dataLoss: WantedSecondary['dataLoss'],
  { goal, observation, own }: Situation,
): Refusal {
  const { forced, primary } = goal.wanted;
  const successor = forced ? primary : presentPrimary(goal, observation)!;
  const isToTakeOver = forced && factsOf(observation, primary).mode !== 'primary';
  const reason = isToTakeOver
    ? `force_promotion lets ${quote(primary)} take over without them.`
    : `${doubtAbout(name, successor, observation)} Terraform cannot tell whether ${quote(successor)} had received all writes by then.`;
  const unread = unreadNote(name, successor, observation);
  if (unread !== undefined) {
    const cures = [...linesOf(unread.cures), phrase`${or('Or')} ${confirm(name, dataLoss)}`];
    return { path: ['secondaries', name], ...unread, cures };
  }
  const isSteppedDown = !forced && hasSteppedDown(factsOf(observation, name));
  const mayBeNew = hasNeverConnected(factsOf(observation, name), factsOf(observation, successor));
  const otherwise = mayBeNew
    ? [
        phrase`${or('Or')}, if ${quote(name)} joined as a new member, and nobody can log in to it: ${emptyStorage(name)}.`,
      ]
    : [];
  return {
    path: ['secondaries', name],
    summary: `${quote(name)} may have writes that ${quote(successor)} lacks, and would lose them by following it`,
    details: reason,
    cures:
      isToTakeOver && factsOf(observation, name).unreachable === undefined
        ? [...plannedSwitchover(confirm(name, dataLoss), { goal, observation, own }), ...otherwise]
        : [confirm(name, dataLoss), ...otherwise, ...(isSteppedDown ? [keepRather(name, successor)] : [])],
  };
}

/**
 * Adds the cure to switch over without force, unless the plan or the promotion would be refused
 * without force.
 */
function plannedSwitchover(otherwise: Phrase, { goal, observation, own }: Situation): readonly Phrase[] {
  const unforced = { ...goal, wanted: { ...goal.wanted, forced: false } };
  if (isBehindForGood(goal, observation) || refusals(unforced, observation, own).length > 0)
    return [otherwise];
  return [
    phrase`${remove('force_promotion')}: a planned switchover waits until the new primary has all writes.`,
    phrase`${or('Or')} ${otherwise}`,
  ];
}

/**
 * Advises how to keep the writes of the cluster that stepped down, and lose those of its successor.
 */
function keepRather(name: string, successor: string): Phrase {
  return phrase`${or('Or')}, to keep what ${quote(name)} has, and lose what ${quote(successor)} has accepted since:
    ${demotePrimary(successor, `demote ${quote(successor)} (${DEMOTE_PRIMARY})`)},
    ${setPrimaryByForce(name)}, list ${quote(successor)} in secondaries with
    ${confirmLoss(successor, `${successor} 2025-12-31`)}, and apply.`;
}

/**
 * Returns the refusal if the note of the successor cannot be read: this is no sign of a loss, so
 * the advice is to read it again.
 */
function unreadNote(
  name: string,
  successor: string,
  observation: Observation,
): Omit<Refusal, 'path'> | undefined {
  const facts = factsOf(observation, successor);
  if (facts.mode !== 'primary' || facts.noteUnread === undefined) return undefined;
  return {
    summary: `could not determine whether ${quote(successor)} has all writes of ${quote(name)}`,
    details: `The ACL policy ${quote(TAKEOVER_POLICY)} on ${quote(successor)}, which may show it, could not be read: ${facts.noteUnread}`,
    cures: `plan again once ${quote(successor)} serves it, with a token that may read ${TAKEOVER_POLICY_PATH}`,
  };
}

function doubtAbout(name: string, successor: string, observation: Observation): string {
  if (hasNeverConnected(factsOf(observation, name), factsOf(observation, successor)))
    return `It has an activation token of ${quote(successor)}, but has never connected to it.`;
  const how = 'outside of Terraform, by force, or in an apply that was interrupted.';
  return hasSteppedDown(factsOf(observation, name))
    ? `It was a primary of this set and stepped down, and ${quote(successor)} took over ${how}`
    : `It does not follow ${quote(successor)}, which became the primary ${how}`;
}

/** Refuses a loss of the primary's own writes, which no setting can confirm. */
function primaryWithOwnWrites(name: string, present: string, observation: Observation): Refusal {
  const unread = unreadNote(name, present, observation);
  if (unread !== undefined) return { path: ['primary'], ...unread };
  return {
    path: ['primary'],
    summary: `${quote(name)} may have writes that ${quote(present)} lacks, and would lose them by following it`,
    details:
      `${doubtAbout(name, present, observation)} Terraform cannot tell whether ${quote(present)} had received all writes by then. ` +
      `To become the primary, ${quote(name)} would have to follow it first.`,
    cures: phrase`save what only ${quote(name)} has. ${setPrimary(present, `Set primary to ${quote(present)}`)},
        ${addSecondary(name, `add ${quote(name)} to secondaries`)} with ${confirmLoss(name)}, and apply. Then set primary to ${quote(name)} and apply again.`,
  };
}

/** Refuses a forced promotion while another secondary may have more writes. */
function lossesByForce(goal: Goal, observation: Observation): readonly Refusal[] {
  const { secondaries } = goal.wanted;
  const better = betterSuccessor(goal, observation);
  return Object.entries(secondaries).flatMap(([name, { dataLoss }]) => {
    const loss = dataLoss === 'confirmed' ? undefined : lossByForce(name, goal, observation);
    if (loss === undefined) return [];
    const rather =
      better === undefined ? '' : phrase`${setPrimaryByForce(better)}, which has the most data; ${or('or ')}`;
    const cures = [phrase`${rather}${confirm(name, dataLoss)}`];
    return [{ path: ['secondaries', name], ...describeLoss(loss, name, goal, observation), cures }];
  });
}

function describeLoss(
  loss: Loss,
  name: string,
  { wanted: { primary } }: Goal,
  observation: Observation,
): Pick<Refusal, 'summary' | 'details'> {
  switch (loss) {
    case 'filtered':
      return {
        summary: `${quote(name)} has data that ${quote(primary)} never received, and would lose it by following ${quote(primary)}`,
        details: `The paths filter of ${quote(primary)} excludes data that ${quote(name)} has. The whole set would lose it.`,
      };
    case 'behind':
      return {
        summary: `${quote(name)} has writes that ${quote(primary)} lacks, and would lose them by following it`,
        details:
          `Last write of the old primary that arrived: number ${positionOf(factsOf(observation, name))} on ${quote(name)}, ` +
          `number ${positionOf(factsOf(observation, primary))} on ${quote(primary)}.`,
      };
    case 'unclear': {
      const reason =
        factsOf(observation, name).unreachable ?? 'Their replication status does not show which has more.';
      return {
        summary: `${quote(name)} may have writes that ${quote(primary)} lacks, and would lose them by following it`,
        details: `The data of ${quote(name)} and ${quote(primary)} could not be compared. ${reason}`,
      };
    }
  }
}

function confirm(name: string, dataLoss: WantedSecondary['dataLoss']): Phrase {
  if (dataLoss === 'used') return phrase`save what you need. ${confirmAgain(name)}`;
  return phrase`save what you need and confirm the loss with ${confirmLoss(name)} in secondaries[${quote(name)}];
    ${or('or')} ${removeSecondary(name, 'remove it from the set')}.`;
}

function confirmation(name: string): Phrase {
  return confirmLoss(name, name, 'confirm_data_loss');
}

/**
 * Advises how to confirm a loss again if a confirmation is used up: it does not cover data that the
 * cluster has received since.
 */
function confirmAgain(name: string): Phrase {
  return phrase`confirm_data_loss of ${quote(name)} was used up when the cluster joined or followed, and does not count again.
    If its data may be lost now, add something new to it, such as the date: ${confirmLoss(name, `${name} 2025-12-31`)}.`;
}

/** Returns the path of a cluster in the configuration, if it has one. */
function pathOf(goal: Goal, name: string): Refusal['path'] {
  if (name === goal.wanted.primary) return ['primary'];
  return formerMembers(goal).includes(name) ? [] : ['secondaries', name];
}
