import { describeFinding, objectTitle, textForServer, validate, type ObjectDefinition } from '../../model';
import { OLDEST_WITH_SENTINEL } from '../../model/sentinel/server-versions';
import { isKnown, type PlanContext } from '../../plugin';
import { healthOf, type Clusters } from '../clusters';
import { textIn, type Change } from '../objects';

/**
 * Refuses a new or changed policy that uses more of Sentinel than its server has. Servers are asked for their version only if
 * there is one that lacks something.
 */
export async function refuseNewerSentinel(
  definition: ObjectDefinition,
  { plan, state }: Pick<Change, 'plan' | 'state'>,
  context: PlanContext<Clusters>,
): Promise<void> {
  const { name, policy, cluster } = plan;
  if (![name, policy, cluster].every(isKnown) || typeof cluster !== 'string') return;
  if (state?.policy === policy) return;
  const findings = (version: string) => validate(textForServer(definition, version), { policy });
  if (findings(OLDEST_WITH_SENTINEL).length === 0) return;
  const object = textIn(plan, 'name') ?? undefined;
  const { version } = (await healthOf(cluster, objectTitle(definition, object), context)) ?? {};
  if (version === undefined) return;
  for (const finding of findings(version)) {
    const { summary, detail } = describeFinding(definition, object, finding);
    context.diagnostics.error(summary, detail, ['policy']);
  }
}
