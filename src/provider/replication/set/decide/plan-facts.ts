import type { DiagnosticError } from '../../../../plugin';
import { hasSteppedDown, type ClusterFacts, type StepPlan, type Observation } from '../planner';
import { identified, observe } from './observe';
import type { Procedure } from './requests';

/**
 * Returns the facts for a plan: those of the latest refresh, and for the other clusters those of
 * now. The clusters are asked who they are only if there is something to do: an unchanged set costs
 * no further request.
 *
 * @param lookInto clusters whose data is looked for where replication is off.
 * @param observed the facts of the latest refresh.
 * @param onUnreadable receives the failure to read a filter, which the plan does without.
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
  // Whether the primary has its writes can only be determined if both are read.
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
 * Takes only the progress from a later read. Other changes since the refresh would make the plan
 * inconsistent.
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
