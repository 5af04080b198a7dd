import type { DiagnosticError } from '../../../../plugin';
import { hasSteppedDown, type ClusterFacts, type StepPlan, type Observation } from '../planner';
import { identified, observe } from './observe';
import type { Procedure } from './requests';

/**
 * Returns the facts for a plan. Clusters that the latest refresh read have the facts of that
 * refresh; others have their present facts. The ids of the clusters are read only if the plan has a
 * step, so that an unchanged set needs no further request.
 *
 * @param lookInto clusters that are searched for existing data if replication is disabled on them.
 * @param observed the facts of the latest refresh.
 * @param onUnreadable receives the error if a filter cannot be read. The plan is made without it.
 */
export function* factsForPlan(
  stepPlan: StepPlan,
  lookInto: readonly string[],
  observed: Observation,
  onUnreadable: (failure: DiagnosticError) => void,
): Procedure<Observation> {
  const all = [...stepPlan.members, ...stepPlan.watched];
  const open = all.filter(
    (name) => observed[name] === undefined || (observed[name].mode === 'disabled' && lookInto.includes(name)),
  );
  const { ids, comparesProgress } = stepPlan;
  const options = {
    ids,
    lookInto,
    glanceAt: stepPlan.watched,
    comparesProgress,
    before: observed,
    onUnreadable,
  };
  let seen = yield* observe(open, options);
  // Whether the primary has the writes of a cluster that stepped down can only be determined if
  // both are read.
  if (open.length < all.length && Object.values(seen).some(hasSteppedDown))
    seen = yield* observe(all, options);
  const observation = Object.fromEntries(all.map((name) => [name, seen[name] ?? observed[name]!]));
  const lacking = comparesProgress ? all.filter((name) => lacksProgress(observation[name]!)) : [];
  const complete =
    lacking.length === 0 ? observation : withProgress(observation, yield* observe(lacking, options));
  const isUnchanged = stepPlan.refusals(complete).length === 0 && stepPlan.next(complete).length === 0;
  return isUnchanged ? complete : yield* identified(complete, Object.keys(seen));
}

function lacksProgress(facts: ClusterFacts): boolean {
  return facts.mode === 'secondary' && facts.unreachable === undefined && facts.progress === undefined;
}

/**
 * Returns the facts with the progress of a later read. Other facts are not taken from it, because
 * changes since the refresh would make the plan inconsistent.
 */
function withProgress(observation: Observation, later: Observation): Observation {
  const entries = Object.entries(observation).map(([name, facts]): readonly [string, ClusterFacts] => {
    const present = later[name];
    if (facts.mode !== 'secondary' || present?.mode !== 'secondary') return [name, facts];
    const { progress = facts.progress } = present;
    return [name, { ...facts, ...(progress && { progress }) }];
  });
  return Object.fromEntries(entries);
}
