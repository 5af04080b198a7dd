import { PERFORMANCE_PATH } from '../../../../model';
import {
  field,
  joined,
  literal,
  or,
  phrase,
  remove,
  set,
  worded,
  type CureAction,
  type Phrase,
} from '../../../../model/messages';
import type { ClusterFacts, Filter } from './facts';
import { withholds } from './goal';
import type { Follow, Promote, Step } from './steps';

/** The command that revokes the id of a secondary, which follows it. */
export const REVOKE_SECONDARY = `vault write ${PERFORMANCE_PATH}/primary/revoke-secondary`;

/** The command that disables replication on a secondary. */
export const DISABLE_SECONDARY = `vault write -f ${PERFORMANCE_PATH}/secondary/disable`;

/** The command that disables replication on a primary. */
export const DISABLE_PRIMARY = `vault write -f ${PERFORMANCE_PATH}/primary/disable`;

/** The command that demotes a primary. */
export const DEMOTE_PRIMARY = `vault write -f ${PERFORMANCE_PATH}/primary/demote`;

/** The command that promotes a secondary. */
export const PROMOTE_SECONDARY = `vault write -f ${PERFORMANCE_PATH}/secondary/promote`;

/** The costs of steps, in capitals so that readers notice them. */
const [ERASE, BY_FORCE, LOSES] = ['ERASE ALL DATA', 'BY FORCE', 'LOSES'];

/** Whether the text of a step contains a loss of data. */
export function mayCostData(words: string): boolean {
  return [ERASE, BY_FORCE, LOSES].some((cost) => words.includes(` ${cost} `));
}

/** Returns the text of a step in the plan: what happens to which cluster, and to its data. */
export function inWords(step: Step): string {
  return `${step.cluster}: ${whatIsDone(step)}`;
}

function whatIsDone(step: Step): string {
  switch (step.kind) {
    case 'enable_primary':
      return 'become the primary of a new replication set (keeps its data)';
    case 'demote':
      if (step.forced)
        return `step down as the primary, ${BY_FORCE} if necessary (writes that ${step.successor} never received are lost)`;
      return `wait until ${step.successor} has all its writes, then step down as the primary (keeps its data)`;
    case 'promote':
      if (step.forced)
        return `become the primary, ${BY_FORCE} if necessary (writes that it never received are lost)`;
      return step.predecessors.length === 0
        ? 'become the primary again (keeps its data)'
        : `become the primary, once it has all writes of ${step.predecessors.join(' and ')} (keeps its data)${otherwise(step)}`;
    case 'join':
      return `${ERASE} of this cluster, then join ${step.primary} as its secondary ${quote(step.id)}, ${gets(step.filter)}`;
    case 'follow':
      return `follow ${step.primary} as its secondary ${quote(step.id)}, ${gets(step.filter)} (${keeps(step)})`;
    case 'redirect':
      return `use the address ${step.address} of ${step.primary} from now on (keeps its data)`;
    case 'set_filter':
      return step.filter === null
        ? `remove the paths filter of secondary ${quote(step.id)}, which then receives everything`
        : `write the paths filter of secondary ${quote(step.id)}: ${filtered(step.filter)}${dropped(step.filter)}`;
    case 'leave':
      return 'leave the replication set (keeps its data)';
    case 'forget':
      return `revoke secondary ${quote(step.id)}, and remove its paths filter`;
    case 'disable_primary':
      return 'end the replication set (keeps its data)';
  }
}

function otherwise({ fallback }: Promote): string {
  return fallback === undefined
    ? ''
    : `; otherwise ${fallback} becomes the primary again, and its secondaries follow it as before`;
}

function gets(filter: Filter | null): string {
  return filter === null ? 'unfiltered' : filtered(filter);
}

/** The text for a filter: `without secret/legal/`. */
function filtered({ mode, paths }: Filter): string {
  const list = [...paths].sort().join(', ');
  if (mode === 'deny') return paths.length === 0 ? 'unfiltered' : `without ${list}`;
  return paths.length === 0 ? 'without any secret or auth mount' : `with only ${list}`;
}

/** Returns the text about the data that a new filter removes from the secondary. */
function dropped(filter: Filter): string {
  return withholds(filter) ? ' (removes from it what the filter withholds)' : '';
}

function keeps({ mayLose, primary, filter }: Follow): string {
  if (mayLose) return `keeps what ${primary} has; ${LOSES} writes that ${primary} lacks`;
  return withholds(filter) ? 'keeps the rest of its data' : 'keeps its data';
}

/**
 * Returns the advice for a cluster that joined, and whose token expired before it reached its
 * primary.
 */
export function emptyStorage(cluster: string): Phrase {
  return phrase`${{ kind: 'empty-storage', cluster }}, set up the login that Terraform uses, and plan again`;
}

/**
 * Returns a further cure for a disconnected secondary, since a new member that never reached its
 * primary accepts no logins.
 */
export function ifNobodyCanLogIn(cluster: string, facts: ClusterFacts): Phrase {
  if (facts.mode !== 'secondary' || facts.connected || facts.alone) return '';
  return phrase`${or(' If')} nobody can log in to ${quote(cluster)}, as it joined and never reached its primary: ${emptyStorage(cluster)}.`;
}

/** @param words in place of `set primary to "eu"`. */
export function setPrimary(cluster: string, words?: Phrase): CureAction {
  return { ...set('primary', literal(cluster)), ...(words !== undefined && { words }) };
}

/** Advises to change the primary back: `set primary back to "us"`. */
export function setBack(cluster: string): CureAction {
  return setPrimary(cluster, `set primary back to ${quote(cluster)}`);
}

/** @param words in place of `set force_promotion to "eu"`. */
export function setForce(cluster: string, words?: Phrase): CureAction {
  return { ...set('force_promotion', literal(cluster)), ...(words !== undefined && { words }) };
}

/** Advises to change the primary by force: `set primary and force_promotion to "eu"`. */
export function setPrimaryByForce(cluster: string): Phrase {
  return phrase`${setPrimary(cluster, 'set primary and')} ${setForce(cluster, `force_promotion to ${quote(cluster)}`)}`;
}

/** Advises to set primary to a cluster that the reader determines. */
export function choosePrimary(words: Phrase): CureAction {
  return worded(set('primary'), words);
}

/**
 * Advises to confirm the loss of a cluster's data.
 *
 * @param words in place of `confirm_data_loss = "eu"`.
 */
export function confirmLoss(cluster: string, confirmation = cluster, words?: Phrase): CureAction {
  const assignment = field('confirm_data_loss', literal(confirmation));
  return worded(set(`secondaries.${cluster}.confirm_data_loss`, literal(confirmation)), words ?? assignment);
}

/** Advises to confirm the loss of a cluster's data, with the name of the field alone. */
export function confirmation(cluster: string): CureAction {
  return confirmLoss(cluster, cluster, 'confirm_data_loss');
}

export function addSecondary(cluster: string, words: Phrase): CureAction {
  return worded(set(`secondaries.${cluster}`), words);
}

export function removeSecondary(cluster: string, words: Phrase): CureAction {
  return worded(remove(`secondaries.${cluster}`), words);
}

/** Advises to add a cluster that is gone for good to abandoned_clusters. */
export function abandon(cluster: string, words: Phrase): CureAction {
  return worded(set(`abandoned_clusters.${cluster}`), words);
}

export function reclaim(cluster: string, words: Phrase): CureAction {
  return worded(remove(`abandoned_clusters.${cluster}`), words);
}

/** Advises to remove a filter: `remove the paths filter of "eu"`. */
export function removeFilter(cluster: string): CureAction {
  return worded(
    remove(`secondaries.${cluster}.paths_filter`),
    `remove the paths filter of ${quote(cluster)}`,
  );
}

/** Advises to disable replication on a secondary by hand. */
export function disableReplication(cluster: string, words: Phrase): CureAction {
  return worded({ kind: 'run', command: DISABLE_SECONDARY, clusters: [cluster] }, words);
}

/** Advises to disable replication on a primary by hand. */
export function disablePrimary(cluster: string, words: Phrase): CureAction {
  return worded({ kind: 'run', command: DISABLE_PRIMARY, clusters: [cluster] }, words);
}

/** Advises to promote one of several secondaries by hand. */
export function promoteOne(clusters: readonly string[], words: Phrase): CureAction {
  return worded({ kind: 'run', command: PROMOTE_SECONDARY, clusters, which: 'one' }, words);
}

/** Advises to demote a primary by hand. */
export function demotePrimary(cluster: string, words: Phrase): CureAction {
  return worded({ kind: 'run', command: DEMOTE_PRIMARY, clusters: [cluster] }, words);
}

/** Advises to demote all primaries but one by hand. */
export function demoteOthers(clusters: readonly string[], words: Phrase): CureAction {
  return worded({ kind: 'run', command: DEMOTE_PRIMARY, clusters, which: 'all-but-one' }, words);
}

/** Advises to revoke ids of secondaries by hand. */
export function revokeIds(primary: string, ids: readonly string[], words: Phrase): Phrase {
  const actions = ids.map((id) =>
    worded({ kind: 'run', command: `${REVOKE_SECONDARY} id=${id}`, clusters: [primary] }, ''),
  );
  return phrase`${words}${joined(actions)}`;
}

export function quote(text: string): string {
  return JSON.stringify(text);
}

/** Joins names in a sentence: `"eu" and "us"`. */
export function list(names: readonly string[], last = 'and'): string {
  const quoted = names.map(quote);
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`;
}
