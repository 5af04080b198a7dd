import { joined, or, phrase, type Phrase } from '../../../../model/messages';
import { factsOf, type Observation, type PrimaryFacts, type SecondaryFacts } from './facts';
import { membersOf, pathOf, type Goal } from './goal';
import {
  addSecondary,
  choosePrimary,
  confirmation,
  DEMOTE_PRIMARY,
  demoteOthers,
  DISABLE_SECONDARY,
  disablePrimary,
  disableReplication,
  ifNobodyCanLogIn,
  list,
  quote,
  reclaim,
  removeSecondary,
  setBack,
  setPrimaryByForce,
} from './messages';
import { hasSteppedDown, primariesOf, setId } from './relations';
import type { Refusal } from './step-plan';

/** Refuses several primaries, because only a person can decide which writes to keep. */
export function severalPrimaries(goal: Goal, observation: Observation): readonly Refusal[] {
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

export function foreignSecondaries(goal: Goal, observation: Observation): readonly Refusal[] {
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
