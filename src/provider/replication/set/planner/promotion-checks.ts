import { SWITCHOVER_POLICY } from '../../../../model';
import { or, phrase, worded } from '../../../../model/messages';
import { factsOf, type Announced, type PrimaryFacts, type Observation } from './facts';
import { membersOf, withholds, type Goal } from './goal';
import type { Refusal } from './step-plan';
import {
  addSecondary,
  choosePrimary,
  confirmation,
  DEMOTE_PRIMARY,
  DISABLE_SECONDARY,
  PROMOTE_SECONDARY,
  disableReplication,
  ifNobodyCanLogIn,
  list,
  promoteOne,
  quote,
  reclaim,
  removeFilter,
  removeSecondary,
  setForce,
  setPrimary,
} from './messages';
import { predecessorsOf } from './moves';
import { hasSteppedDown, isAmong, presentPrimary, primariesOf, setId } from './relations';

/**
 * Refuses a wanted primary that is not a secondary of the set, while another cluster is the
 * primary: it lacks the data of the set.
 */
export function primaryOutsideOfSet(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary } = goal.wanted;
  const facts = factsOf(observation, primary);
  const [present] = primariesOf(goal, observation);
  if (present === undefined || present === primary || facts.unreachable !== undefined) return [];
  const { clusterId } = observation[present] as PrimaryFacts;
  if (facts.mode === 'secondary' && facts.clusterId === clusterId) return [];
  const [detail, cure] =
    facts.mode === 'secondary'
      ? [
          `${quote(primary)} is a secondary of another set. Cluster id of that set: ${quote(facts.clusterId)}.`,
          phrase`to keep the data of ${quote(primary)}, ${removeSecondary(present, `remove ${quote(present)} from this set`)}.
            ${or('To continue')} with the data of ${quote(present)}, ${setPrimary(present)}, ${disableReplication(primary, `disable replication on ${quote(primary)}`)}
            (${DISABLE_SECONDARY}), and confirm the loss of its data with
            ${confirmation(primary)}.${ifNobodyCanLogIn(primary, facts)}`,
        ]
      : [
          `Status of ${quote(primary)}: ${facts.mode}.`,
          phrase`${setPrimary(present)}, ${addSecondary(primary, `add ${quote(primary)} to secondaries`)} and apply.
            Then set primary to ${quote(primary)} and apply again.`,
        ];
  const summary = `${quote(primary)} cannot become the primary: ${quote(present)} is the primary, and ${quote(primary)} is not one of its secondaries`;
  return [{ path: ['primary'], summary, details: detail, cures: cure }];
}

/**
 * Refuses a wanted primary that does not answer while another cluster is the primary. After a
 * failover by hand, it may come back at any time.
 */
export function unreachableSuccessor(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary } = goal.wanted;
  const [present] = primariesOf(goal, observation);
  const reason = factsOf(observation, primary).unreachable;
  if (present === undefined || reason === undefined) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} cannot be reached and so cannot become the primary: ${quote(present)} is the primary now`,
      details: `${quote(primary)}: ${reason}`,
      cures: phrase`${setPrimary(present)}, which has taken over. Or restore ${quote(primary)} first.
          If it comes back as a primary, demote it before it accepts writes.`,
    },
  ];
}

/** Refuses to take over from an abandoned primary, except by force. */
export function abandonedPrimary(goal: Goal, observation: Observation): readonly Refusal[] {
  const { wanted, known } = goal;
  const { primary, forced, abandoned } = wanted;
  if (forced || !known || !abandoned.includes(known.primary)) return [];
  if (factsOf(observation, primary).mode !== 'secondary' || primariesOf(goal, observation).length > 0)
    return [];
  return [
    {
      path: ['abandoned_clusters'],
      summary: `${quote(primary)} can only take over from ${quote(known.primary)}, which is in abandoned_clusters, by force`,
      details: `Whether ${quote(primary)} has all writes of ${quote(known.primary)} can no longer be determined.`,
      cures: phrase`if the writes that only ${quote(known.primary)} has may be lost,
          ${setForce(primary, `set force_promotion = ${quote(primary)}`)}. ${or('If')} ${quote(known.primary)} can be brought back,
          ${reclaim(known.primary, 'remove it from abandoned_clusters')} and wait for it.`,
    },
  ];
}

/**
 * Refuses to demote a primary that is in abandoned_clusters: afterwards its successor could take
 * over only by force.
 */
export function answeringAbandonedPrimary(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary, forced, abandoned } = goal.wanted;
  const [present] = primariesOf(goal, observation);
  if (forced || present === undefined || present === primary || !abandoned.includes(present)) return [];
  return [
    {
      path: ['abandoned_clusters'],
      summary: `${quote(present)} is in abandoned_clusters, but answers, and is the primary of this set`,
      details: `abandoned_clusters is for clusters that are gone for good. ${quote(present)} can hand over to ${quote(primary)} without a loss.`,
      cures: phrase`${reclaim(present, `remove ${quote(present)} from abandoned_clusters`)} and apply: it steps down for ${quote(primary)}, and then
          follows it if it is in secondaries, or leaves the set.`,
    },
  ];
}

/**
 * Refuses to create a resource for an existing set with another primary: the set must be imported
 * before a switchover.
 */
export function switchOverAtCreation(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary } = goal.wanted;
  const facts = factsOf(observation, primary);
  if (goal.known || facts.mode !== 'secondary') return [];
  const [present] = primariesOf(goal, observation);
  const candidates = membersOf(goal).filter((name) => {
    const each = factsOf(observation, name);
    return each.mode === 'secondary' && each.clusterId === facts.clusterId;
  });
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} is already a secondary of a replication set`,
      details: `Its primary: ${present === undefined ? 'none of the clusters of this set' : quote(present)}.`,
      cures:
        present === undefined
          ? phrase`if another cluster is its primary, ${worded({ kind: 'import' }, 'import the set under the name of that one')}.
              ${or('If')} no cluster is, ${promoteOne(candidates, 'promote one')} (${PROMOTE_SECONDARY})
              and ${worded({ kind: 'import' }, 'import the set under its name')}: its secondaries keep their data. ${or('To give up')} that set,
              ${disableReplication(primary, `disable replication on ${quote(primary)}`)} (${DISABLE_SECONDARY}), which keeps its
              data, and apply again: all other clusters are then erased when they join.${ifNobodyCanLogIn(primary, facts)}`
          : phrase`${worded({ kind: 'import' }, 'import the set under the name of its current primary')}. Then change primary and
              apply to switch over.`,
    },
  ];
}

/** Refuses to promote a filtered secondary, because the set would lose the withheld data. */
export function incompleteSuccessor(goal: Goal, observation: Observation): readonly Refusal[] {
  const { primary, forced } = goal.wanted;
  const present = presentPrimary(goal, observation);
  const facts = factsOf(observation, primary);
  if (forced || present === undefined || facts.mode !== 'secondary') return [];
  if (!withholds((observation[present] as PrimaryFacts).filters[facts.secondaryId])) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} has a paths filter and lacks data: if it is promoted, the whole set loses that data`,
      cures: phrase`${setPrimary(present, `with ${quote(present)} still as primary`)}, ${removeFilter(primary)} and apply.
          Once it has received everything, change primary.`,
    },
  ];
}

/**
 * Refuses a promotion if the last primary already follows an unknown cluster, which may accept
 * writes.
 */
export function primaryElsewhere(goal: Goal, observation: Observation): readonly Refusal[] {
  const { wanted, known } = goal;
  if (wanted.forced || !known) return [];
  const before = factsOf(observation, known.primary);
  if (before.mode !== 'secondary' || before.unreachable !== undefined) return [];
  // Without a secondary id, it has no token of another primary, even if its status still lists
  // earlier connections.
  const follows = before.connected && before.secondaryId !== '';
  if (!follows || primariesOf(goal, observation).length > 0) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(known.primary)} follows a primary that is not in this set or does not answer`,
      details: `It was the primary when Terraform last saw it. ${quote(wanted.primary)} would be a second primary.`,
      cures: phrase`${choosePrimary('set primary to the cluster that is the primary now')}. ${or('Or')} demote that cluster first
          (${DEMOTE_PRIMARY}), once the clusters of this set have all its writes.`,
    },
  ];
}

/**
 * Refuses to promote the last primary again if it has become a secondary without stepping down: it
 * may lack writes, and no former primary shows which.
 */
export function rolledBackPrimary(goal: Goal, observation: Observation): readonly Refusal[] {
  const { wanted, known } = goal;
  const { primary } = wanted;
  const facts = factsOf(observation, primary);
  if (wanted.forced || known?.primary !== primary || facts.mode !== 'secondary') return [];
  if (facts.unreachable !== undefined || hasSteppedDown(facts)) return [];
  const isCompared = predecessorsOf(goal, observation).length > 0;
  if (isCompared || presentPrimary(goal, observation) !== undefined) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} must not become the primary again: it is a secondary now, and may lack writes`,
      details:
        'It was the primary when Terraform last saw it, and did not step down: it was restored from a snapshot, or was given ' +
        `another primary. Its secondary id: ${quote(facts.secondaryId)}.`,
      cures: phrase`if another cluster is the primary now, make sure that it answers, or ${choosePrimary('set primary to it')}.
          ${or('If')} none is, and the writes that ${quote(primary)} lacks may be lost, ${setForce(primary)}.`,
    },
  ];
}

/**
 * Refuses a promotion if the last primary stepped down for a cluster outside of this set, which may
 * be the primary now.
 */
export function unlistedSuccessor(goal: Goal, observation: Observation): readonly Refusal[] {
  const { wanted, known } = goal;
  const { primary } = wanted;
  if (wanted.forced || factsOf(observation, primary).mode !== 'secondary') return [];
  if (primariesOf(goal, observation).length > 0) return [];
  const announced = [primary, ...(known ? [known.primary] : [])].flatMap((name) => {
    const facts = factsOf(observation, name);
    return facts.mode === 'secondary' ? (facts.announced ?? []) : [];
  });
  const unlisted = announced.find((each) => !isAmong(each, membersOf(goal), observation));
  return unlisted ? [announcedElsewhere(primary, unlisted)] : [];
}

/**
 * Refuses a promotion if the last primary stepped down without announcing a member, and the set has
 * secondaries that Terraform does not manage: one of them may be the primary now.
 */
export function unlistedPrimary(goal: Goal, observation: Observation): readonly Refusal[] {
  const { wanted, known } = goal;
  const { primary } = wanted;
  const answering = membersOf(goal).flatMap((name) => {
    const facts = factsOf(observation, name);
    return facts.mode === 'secondary' && facts.unreachable === undefined ? [facts.secondaryId] : [];
  });
  const unlisted = (known?.unlisted ?? []).filter((id) => !answering.includes(id));
  if (wanted.forced || unlisted.length === 0 || factsOf(observation, primary).mode !== 'secondary') return [];
  if (presentPrimary(goal, observation) !== undefined) return [];
  const isAnnounced = membersOf(goal).some((name) => {
    const facts = factsOf(observation, name);
    return (
      facts.mode === 'secondary' && facts.announced && isAmong(facts.announced, membersOf(goal), observation)
    );
  });
  if (isAnnounced) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} must not be promoted: a secondary that is not in this set may be the primary now`,
      details:
        `Secondary ids of the last primary that belong to no cluster of this set: ${list(unlisted)}. The last primary stepped ` +
        `down outside of Terraform. If one of these has taken over, ${quote(primary)} would be a second primary.`,
      cures: [
        phrase`add the cluster with each of these ids to clusters in the provider's configuration and to secondaries of this
          set (with its id), and plan again. If it has become the primary, ${choosePrimary('set primary to it')}.`,
        phrase`${or('Or')}, if none of them is the primary, and the writes that only they have may be lost, ${setForce(primary)}.`,
      ],
    },
  ];
}

/** @param primary the cluster whose promotion is refused */
export function announcedElsewhere(primary: string, { id, name }: Announced): Refusal {
  const known = id === name ? '' : ` (id ${quote(id)} in sys/health)`;
  return {
    path: ['primary'],
    summary: `${quote(primary)} must not be promoted: the last primary stepped down for ${quote(name)}, which is not in this set`,
    details:
      `The ACL policy ${quote(SWITCHOVER_POLICY)} names ${quote(name)}${known} as the cluster that takes over. ` +
      `It may be the primary now, or may become it: ${quote(primary)} would be a second primary.`,
    cures: phrase`if ${quote(name)} was added to the set by another configuration, apply that one, and manage the set in one
        state only. ${or('Or')} ${setPrimary(name)} and add the other clusters to secondaries here. ${or('If')} ${quote(name)}
        will not come back, and the writes that only it has may be lost, ${setForce(primary)}.`,
  };
}

/**
 * Refuses a promotion if the last primary no longer replicates: it is then unknown whether all its
 * writes have arrived.
 */
export function lostPredecessor(goal: Goal, observation: Observation): readonly Refusal[] {
  const { wanted, known } = goal;
  const { primary } = wanted;
  if (wanted.forced || !known) return [];
  if (factsOf(observation, primary).mode !== 'secondary' || presentPrimary(goal, observation) !== undefined)
    return [];
  const before = factsOf(observation, known.primary);
  if (before.mode === 'secondary' && before.clusterId === setId(goal, observation)) return [];
  return [
    {
      path: ['primary'],
      summary: `could not determine whether ${quote(primary)} has all writes of ${quote(known.primary)}, the last primary`,
      details: `Status of ${quote(known.primary)}: ${before.mode}.`,
      cures: phrase`if ${quote(known.primary)} will not come back, or if the writes that only it has may be lost,
          ${setForce(primary)}.`,
    },
  ];
}
