import { or, phrase, type Phrase } from '../../../../model/messages';
import { cannotReplicate } from '../../shared/modes';
import { factsOf, type ClusterFacts, type Observation } from './facts';
import { clustersIn, knownMembers, membersOf, pathOf, type Goal } from './goal';
import {
  abandon,
  confirmation,
  DISABLE_SECONDARY,
  disableReplication,
  emptyStorage,
  quote,
  removeSecondary,
} from './messages';
import { isSameSecondary } from './relations';
import type { Refusal } from './step-plan';

/** Refuses a set that has one cluster under two names, because a cluster cannot follow itself. */
export function sameClusters(goal: Goal, observation: Observation): readonly Refusal[] {
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
export function sharedIds({ wanted, known }: Goal, observation: Observation): readonly Refusal[] {
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

export function unsupportedStorage(goal: Goal, observation: Observation): readonly Refusal[] {
  return membersOf(goal)
    .filter((name) => factsOf(observation, name).mode === 'unsupported')
    .map((name) => ({ path: pathOf(goal, name), ...cannotReplicate(quote(name)) }));
}

/**
 * Refuses DR secondaries. They report no performance replication and look empty, but contain the
 * data of the cluster that they replace in a disaster.
 */
export function drSecondaries(goal: Goal, observation: Observation): readonly Refusal[] {
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
