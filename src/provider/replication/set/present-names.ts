import { REPLICATION_SET } from '../../../model';
import { isKnown } from '../../../plugin';
import type { Clusters } from '../../clusters';
import type { RequestContext } from '../../objects';
import { observe } from './decide';
import { Performer } from './perform';
import { clustersIn, type ClusterFacts, type Observation } from './planner';
import type { SetState } from './schema';

/** The new names of clusters, by their names in the state. */
type Renames = ReadonlyMap<string, string>;

/**
 * Returns the state with the names that clusters have in the configuration now. A renamed cluster
 * is recognized by the id of its server; otherwise the plan would make the cluster leave under its
 * old name and join under its new name.
 *
 * @param wanted the names of the clusters in the configuration
 */
export async function withPresentNames(
  state: SetState,
  wanted: readonly string[],
  context: RequestContext,
): Promise<SetState> {
  const { before, after } = changedNames(state, wanted);
  const { providerData: provider } = context;
  const asked = after.filter((name) => isConfigured(provider, name) && provider.isReady(name));
  if (before.length === 0 || asked.length === 0) return state;
  const performer = new Performer(context, { definition: REPLICATION_SET, title: REPLICATION_SET.title });
  const observation = await performer.run(observe(asked, { ids: [], before: {} }));
  return renamed(state, renamesIn(state, before, observation));
}

function changedNames(state: SetState, wanted: readonly string[]) {
  const known = clustersIn(state);
  return {
    before: known.filter((name) => !wanted.includes(name) && state.cluster_ids?.[name] !== undefined),
    after: wanted.filter((name) => !known.includes(name)),
  };
}

/**
 * An id that several clusters have, such as those restored from one snapshot, identifies none of
 * them.
 */
function renamesIn(state: SetState, before: readonly string[], observation: Observation): Renames {
  const ids = state.cluster_ids ?? {};
  const pairs = before.flatMap((old) => {
    const candidates = Object.entries(observation).filter(([, facts]) => facts.self?.id === ids[old]);
    const isUnique = Object.values(ids).filter((id) => id === ids[old]).length === 1;
    const [only, ...others] = candidates;
    if (only === undefined || others.length > 0 || !isUnique) return [];
    const [name, facts] = only;
    return isSameMember(old, facts, state) ? [[old, name] as const] : [];
  });
  return new Map(pairs);
}

/** Whether a cluster still has the role in the set that it has in the state. */
function isSameMember(old: string, facts: ClusterFacts, state: SetState): boolean {
  if (facts.unreachable !== undefined || !('clusterId' in facts)) return false;
  if (facts.clusterId !== state.cluster_id) return false;
  if (old === state.primary || facts.mode === 'primary' || facts.secondaryId === '') return true;
  return facts.secondaryId === (state.secondaries?.[old]?.id ?? old);
}

function renamed(state: SetState, renames: Renames): SetState {
  if (renames.size === 0) return state;
  const nameOf = (name: string) => renames.get(name) ?? name;
  const { primary, secondaries, cluster_ids, members } = state;
  return {
    ...state,
    primary: nameOf(primary),
    secondaries: secondaries && byName(withIdsOfOldNames(secondaries)),
    cluster_ids: cluster_ids && byName(cluster_ids),
    members: members && byName(members),
  };

  function byName<V>(values: Readonly<Record<string, V>>): Record<string, V> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), value]));
  }
}

/** Adds the ids that were not configured: such a secondary has its old name as its id. */
function withIdsOfOldNames(secondaries: NonNullable<SetState['secondaries']>) {
  const entries = Object.entries(secondaries).map(
    ([name, secondary]) => [name, { ...secondary, id: secondary.id ?? name }] as const,
  );
  return Object.fromEntries(entries);
}

function isConfigured({ names }: Clusters, name: string): boolean {
  return isKnown(names) && names.includes(name);
}
