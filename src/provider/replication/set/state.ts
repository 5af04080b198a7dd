import { REPLICATION_SET, REPLICATION_SET_SECONDARY } from '../../../model';
import { defaultsOf } from '../../fields';
import { MessageError } from '../../messages';
import { emptySecondary } from './messages';
import { clustersIn, ownIds, presentPrimary, sameFilter, type KnownSet, type Observation } from './planner';
import type { SecondaryOfSet, SetState } from './schema';
import { knownSet, type SetValues } from './wanted';

/** The values of a secondary that the configuration does not have. */
export const UNCONFIGURED: SecondaryOfSet = {
  ...defaultsOf(REPLICATION_SET_SECONDARY.fields),
  everything: true,
  paths_filter: null,
};

/**
 * Returns a state as Terraform stored it.
 *
 * @throws MessageError for a secondary without values, which no version of the provider stores.
 */
export function checkedState(state: Readonly<Record<string, unknown>>): SetState {
  const stored = state as SetState;
  const empty = Object.entries(stored.secondaries ?? {}).find(([, values]) => values === null);
  if (empty !== undefined) throw new MessageError(emptySecondary(stored.primary, empty[0]));
  return stored;
}

/**
 * Upgrades a state that was stored before the attribute `everything` existed: a secondary without a
 * filter receives everything.
 */
export function saysEverything(before: SetState): SetState {
  if (before.secondaries === null) return before;
  const secondaries = Object.entries(before.secondaries).map(
    ([name, secondary]) =>
      [name, { ...secondary, everything: secondary.paths_filter === null ? true : null }] as const,
  );
  return { ...before, secondaries: Object.fromEntries(secondaries) };
}

/**
 * Removes the steps of the last apply, because plans show only the steps ahead. This is done when
 * Terraform upgrades the state, because Terraform would show a removal by a refresh as drift. A
 * state of an earlier version gets the defaults of attributes that it lacks.
 */
export function withoutSteps(state: SetState): SetState {
  const { switchover } = REPLICATION_SET.fields;
  return { ...state, switchover: state.switchover ?? switchover.default, steps: [] };
}

/** Returns the state of a set that has reached its goal. */
export function wantedState(values: SetValues, observation: Observation, steps: readonly string[]): SetState {
  const facts = observation[values.primary];
  const cluster_id = facts && 'clusterId' in facts ? facts.clusterId : null;
  return withReport({ ...values, id: values.primary, cluster_id, steps, ...UNREPORTED }, observation);
}

/**
 * Returns the state after an apply that ended before its last step, with the present members.
 * Clusters that have not joined yet are left out, and those that have not left completely are
 * included.
 *
 * @param before the state after the last step, which has the latest primary even if that primary
 *   has stepped down since
 */
export function reachedState(before: SetState, values: SetValues, observation: Observation): SetState {
  const { primary, cluster_id } = report(before, observation);
  // If another cluster than the wanted primary is the primary, the switchover is not complete, and
  // the earlier secondaries stay.
  if (primary !== values.primary) return observedState(before, observation);
  const [old, wanted] = [before.secondaries ?? {}, values.secondaries ?? {}];
  const facts = observation[primary];
  const isLeft = (name: string, { id }: SecondaryOfSet) =>
    !Object.hasOwn(wanted, name) &&
    observation[name]?.mode === 'disabled' &&
    facts?.mode === 'primary' &&
    !Object.hasOwn(facts.secondaries, id ?? name) &&
    !facts.filters[id ?? name];
  const remaining = Object.entries(old).filter(([name, entry]) => !isLeft(name, entry));
  const joined = Object.entries(wanted).filter(
    ([name]) => Object.hasOwn(old, name) || isSecondary(name, observation, cluster_id),
  );
  const secondaries = { ...Object.fromEntries(remaining), ...Object.fromEntries(joined) };
  return observedState({ ...before, secondaries }, observation);
}

/** Returns the state of a set as its clusters report it, regardless of who set it up. */
export function observedState(state: SetState, observation: Observation): SetState {
  const { primary, cluster_id } = report(state, observation);
  const present = { ...state.secondaries };
  delete present[primary];
  // The last known primary is now listed as a secondary, unless it has left.
  if (primary !== state.primary && isSecondary(state.primary, observation, cluster_id)) {
    present[state.primary] ??= UNCONFIGURED;
  }
  const secondaries = Object.entries(present).map(
    ([name, entry]) => [name, observedSecondary(name, entry, observation, primary)] as const,
  );
  const none = secondaries.length === 0 && state.secondaries === null;
  return withReport(
    {
      ...state,
      id: primary,
      primary,
      cluster_id,
      secondaries: none ? null : Object.fromEntries(secondaries),
    },
    observation,
  );
}

function observedSecondary(
  name: string,
  entry: SecondaryOfSet,
  observation: Observation,
  primary: string,
): SecondaryOfSet {
  const [facts, primaryFacts] = [observation[name], observation[primary]];
  const id = (facts?.mode === 'secondary' && facts.secondaryId) || entry.id || name;
  const filter = primaryFacts?.mode === 'primary' ? primaryFacts.filters[id] : undefined;
  const unchanged = filter === undefined || sameFilter(filter, entry.paths_filter);
  return { ...entry, id, ...(!unchanged && { paths_filter: filter, everything: filter ? null : true }) };
}

/** Returns the cluster that reports itself as the primary, and its set. */
function report(
  state: SetState,
  observation: Observation,
): { readonly primary: string; readonly cluster_id: string | null } {
  const known = knownSet(state);
  const primary = primarySeen(known, observation);
  const facts = observation[primary];
  // While a cluster still belongs to the known set, the state describes that set.
  const remains = Object.values(observation).some(
    (each) => each.mode === 'secondary' && each.clusterId === known.clusterId,
  );
  const cluster_id = !remains && facts?.mode === 'primary' ? facts.clusterId : state.cluster_id;
  return { primary, cluster_id };
}

function primarySeen(known: KnownSet, observation: Observation): string {
  const wanted = { primary: known.primary, secondaries: {}, forced: false, abandoned: [] };
  return presentPrimary({ wanted, known }, observation) ?? known.primary;
}

function isSecondary(name: string, observation: Observation, clusterId: string | null): boolean {
  const facts = observation[name];
  return facts?.mode === 'secondary' && facts.clusterId === clusterId;
}

const UNREPORTED = { cluster_ids: null, members: null, unlisted_secondaries: null };

function withReport(state: SetState, observation: Observation): SetState {
  const names = [...clustersIn(state)].sort();
  const facts = observation[state.primary];
  const known =
    facts?.mode === 'primary' ? Object.keys(facts.secondaries) : (state.unlisted_secondaries ?? []);
  const ids = ownIds(knownSet(state), observation);
  return {
    ...state,
    cluster_ids: idsAmong(names, { ...state.cluster_ids, ...idsOf(observation) }),
    members: Object.fromEntries(names.map((name) => [name, observation[name]?.mode ?? 'unknown'])),
    unlisted_secondaries: known.filter((id) => !ids.includes(id)).sort(),
  };
}

/** Returns the known ids of the clusters' servers. */
export function idsOf(observation: Observation): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(observation).flatMap(([name, { self }]) =>
      self === undefined ? [] : [[name, self.id] as const],
    ),
  );
}

function idsAmong(names: readonly string[], ids: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(ids).filter(([name]) => names.includes(name)));
}
