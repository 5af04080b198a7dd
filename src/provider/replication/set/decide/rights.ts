import type { ReplicationCallName } from '../../../../model';
import {
  accessFor,
  replicationCall,
  SWITCHOVER_CALLS,
  type Access,
  type ApiCall,
} from '../../../../model/access';
import { linesOf } from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { contentOf, MessageError } from '../../../messages';
import { quote, takesToken, transitionBy, type Step, type Observation } from '../planner';
import { cureOfNewMember } from './ending-messages';
import { all, ask, warn, type Procedure } from './requests';
import { FIX_AND_GO_ON } from './messages';
import { mayPass } from './may-pass';

interface NeededCall {
  readonly cluster: string;
  readonly call: ApiCall;
  /** The id of the secondary, if the path contains one. */
  readonly id?: string;
}

/**
 * Checks before the first step that the tokens of all clusters permit all steps. Otherwise a set
 * whose primary has stepped down might wait for a person with more rights.
 *
 * @param ids the ids of the secondaries, whose filters are read from the primary.
 * @throws DiagnosticError if a token lacks a right.
 */
export function* checkRights(
  title: string,
  steps: readonly Step[],
  { ids, observation }: { readonly ids: readonly string[]; readonly observation: Observation },
): Procedure<void> {
  const calls = [...steps.flatMap(callsOf), ...steps.flatMap((step) => readingFilters(step, ids))].filter(
    ({ cluster }) => observation[cluster]?.unreachable === undefined,
  );
  const clusters = [...new Set(calls.map(({ cluster }) => cluster))];
  const promotions = steps.filter((step) => step.kind === 'promote');
  const promoted = promotions.map(({ cluster }) => cluster);
  const last = promotions
    .filter(({ predecessors }) => predecessors.length === 0)
    .map(({ cluster }) => cluster);
  // Without a primary, no write is possible: only the rights on the cluster that becomes the
  // primary matter before the first step.
  const isUrgent = steps[0]?.kind === 'promote';
  yield* all(clusters.map(check));

  function* check(cluster: string): Procedure<void> {
    try {
      yield* checkCluster(title, cluster, calls);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const cured = withCure(error, cluster, observation);
      // The last primary may refuse to report capabilities until it is the primary again.
      const isTolerated = last.includes(cluster) && mayPass(error);
      if (!isUrgent || (promoted.includes(cluster) && !isTolerated)) throw cured;
      yield* warn(cured.message);
    }
  }
}

/** Adds the cure for a new member that accepts no logins. */
function withCure(error: DiagnosticError, cluster: string, observation: Observation): DiagnosticError {
  const content = contentOf(error);
  const [otherwise = FIX_AND_GO_ON] = linesOf(content.cures);
  const cures = cureOfNewMember(error, cluster, { observation, otherwise });
  return cures === undefined
    ? error
    : new MessageError({ path: error.path, ...content, cures }, { cause: error });
}

function* checkCluster(title: string, cluster: string, calls: readonly NeededCall[]): Procedure<void> {
  const needed = calls.filter((each) => each.cluster === cluster).flatMap(accessOf);
  const paths = [...new Set(needed.map(({ path }) => path))];
  const granted = yield* ask({ kind: 'capabilities', cluster, paths });
  const refused = needed.find(({ path, capabilities }) => {
    const present = granted[path] ?? [];
    return !present.includes('root') && capabilities.some((each) => !present.includes(each));
  });
  if (!refused) return;
  throw new MessageError({
    summary: `${title}: the token of cluster ${quote(cluster)} lacks permissions for the plan`,
    details: `Path: ${refused.path}.`,
    received: (granted[refused.path] ?? []).join(', '),
    allowed: refused.capabilities.join(' and '),
    cures: `attach a policy to the token of cluster ${quote(cluster)} that grants it`,
  });
}

function accessOf({ call, id }: NeededCall): readonly Access[] {
  return accessFor([call], { id });
}

/**
 * Returns the writes that a step makes. If the step gives its cluster a token, it also writes the
 * filter and issues the token on the primary.
 */
function callsOf(step: Step): readonly NeededCall[] {
  const { cluster } = step;
  const on = (target: string, ...calls: readonly ReplicationCallName[]) =>
    calls.map((call) => ({
      cluster: target,
      call: replicationCall(call),
      ...('id' in step && { id: step.id }),
    }));
  const filterCall = (filter: unknown) => (filter === null ? 'deletePathsFilter' : 'writePathsFilter');
  if (step.kind === 'set_filter') return on(cluster, filterCall(step.filter));
  if (step.kind === 'redirect') return on(cluster, 'updatePrimary');
  if (step.kind === 'forget') return on(cluster, 'revokeSecondary', 'deletePathsFilter');
  return [
    ...(takesToken(step)
      ? on(step.primary, 'revokeSecondary', filterCall(step.filter), 'secondaryToken')
      : []),
    ...on(cluster, transitionBy(step)!.trigger),
    ...announcing(step),
  ];
}

/** Returns the reads of the secondaries' filters on the cluster that becomes the primary. */
function readingFilters({ kind, cluster }: Step, ids: readonly string[]): readonly NeededCall[] {
  if (kind !== 'promote') return [];
  return ids.map((id) => ({ cluster, call: replicationCall('readPathsFilter'), id }));
}

/**
 * Returns the calls for the announcement. It is written on the primary before the demotion, and
 * read and removed on the successor.
 */
function announcing(step: Step): readonly NeededCall[] {
  if ((step.kind !== 'demote' && step.kind !== 'promote') || step.forced) return [];
  return SWITCHOVER_CALLS.map((call) => ({ cluster: step.cluster, call }));
}
