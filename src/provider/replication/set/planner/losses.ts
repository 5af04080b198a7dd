import { normalizeFilterPath } from '../../../../model';
import { factsOf, type ClusterFacts, type Filter, type SecondaryFacts, type Observation } from './facts';
import { membersOf, sameFilter, withholds, type Goal } from './goal';
import { predecessorsOf } from './moves';
import { hasSteppedDown, presentPrimary } from './relations';

/**
 * The reason why a secondary may lose data by following a successor that is promoted by force: the
 * successor's filter withholds data that the secondary has, the successor has received fewer
 * writes, or the two cannot be compared.
 */
export type Loss = 'filtered' | 'behind' | 'unclear';

/**
 * Returns the kind of data that a secondary would lose by following the wanted primary after its
 * forced promotion.
 */
export function lossByForce(name: string, goal: Goal, observation: Observation): Loss | undefined {
  const { primary, forced } = goal.wanted;
  const [successor, other] = [factsOf(observation, primary), factsOf(observation, name)];
  if (!forced || name === primary) return undefined;
  // Another check handles clusters that stepped down.
  if (successor.mode !== 'secondary' || other.mode !== 'secondary' || hasSteppedDown(other)) return undefined;
  if (other.clusterId !== successor.clusterId) return undefined;
  if (keepsFrom(filterOf(primary, goal), filterOf(name, goal))) return 'filtered';
  // The root of a corrupted merkle tree does not identify the data.
  if (other.unreachable !== undefined || successor.digest === 'wrong' || other.digest === 'wrong')
    return 'unclear';
  return behind(successor, other);
}

/**
 * Returns an unfiltered secondary with more writes than the wanted primary, which should take over
 * instead.
 */
export function betterSuccessor(goal: Goal, observation: Observation): string | undefined {
  const { wanted } = goal;
  const own = positionOf(factsOf(observation, wanted.primary));
  const candidates = Object.keys(wanted.secondaries).filter((name) => {
    const loss = lossByForce(name, goal, observation);
    const isKnown = loss === 'behind' || loss === 'filtered';
    return isKnown && positionOf(factsOf(observation, name)) >= own && !withholds(filterOf(name, goal));
  });
  return candidates.sort(
    (one, other) => positionOf(factsOf(observation, other)) - positionOf(factsOf(observation, one)),
  )[0];
}

/**
 * Whether the wanted primary lacks data of a former primary and will never receive it, because no
 * cluster is a primary that could send it.
 */
export function isBehindForGood(goal: Goal, observation: Observation): boolean {
  const isSilent = membersOf(goal).some((name) => factsOf(observation, name).unreachable !== undefined);
  if (isSilent || presentPrimary(goal, observation) !== undefined) return false;
  const [own, ...others] = [goal.wanted.primary, ...predecessorsOf(goal, observation)].map((name) => {
    const facts = factsOf(observation, name);
    return facts.mode === 'secondary' ? facts.progress?.root : undefined;
  });
  return own !== undefined && others.some((root) => root !== undefined && root !== own);
}

/** The number of the last write that a secondary received; 0 if unknown. */
export function positionOf(facts: ClusterFacts): number {
  return facts.mode === 'secondary' ? (facts.progress?.position ?? 0) : 0;
}

function behind(
  { progress: own }: SecondaryFacts,
  { progress: others }: SecondaryFacts,
): 'behind' | 'unclear' | undefined {
  if (own?.root !== undefined && own.root === others?.root) return undefined;
  // A position of 0 shows no progress: it stays 0 between a sync and the next write.
  if (!own?.position || !others?.position) return 'unclear';
  return others.position > own.position ? 'behind' : undefined;
}

/** Returns the filter of a cluster as a secondary of the last primary. */
function filterOf(name: string, { known }: Goal): Filter | null {
  return known?.filters[name] ?? null;
}

/** Whether a filter withholds data that another filter does not withhold. */
function keepsFrom(filter: Filter | null, other: Filter | null): boolean {
  if (!withholds(filter) || sameFilter(filter, other)) return false;
  if (other === null || filter.mode !== other.mode) return true;
  const [less, more] = filter.mode === 'deny' ? [filter, other] : [other, filter];
  const paths = more.paths.map(normalizeFilterPath);
  return less.paths.some((path) => !paths.includes(normalizeFilterPath(path)));
}
