import {
  ACL_POLICY,
  ACL_SYNTAX_KNOWN,
  isKnownServer,
  warningOfUnknownSyntax,
  type ObjectDefinition,
} from '../../model';
import { isKnown, type PlanContext } from '../../plugin';
import { healthOf, type Clusters } from '../clusters';
import { reportFindings, titleIn, type ObjectChange, type AttributeValues } from '../objects';

/**
 * The definition of an ACL policy without the rule on unknown syntax, which depends on the cluster.
 */
const WITHOUT_UNKNOWN_SYNTAX: ObjectDefinition = {
  ...ACL_POLICY,
  rules: ACL_POLICY.rules.filter((rule) => rule !== ACL_SYNTAX_KNOWN),
};

const UNKNOWN_SYNTAX: ObjectDefinition = { ...ACL_POLICY, rules: [ACL_SYNTAX_KNOWN] };

/** Makes the checks of an ACL policy that do not depend on the cluster. */
export function validateAclPolicy(
  config: AttributeValues,
  { diagnostics }: Pick<PlanContext<Clusters>, 'diagnostics'>,
) {
  reportFindings(WITHOUT_UNKNOWN_SYNTAX, config, diagnostics);
}

/**
 * Reports unknown arguments and capabilities of a new or changed policy: as an error, unless the
 * cluster's settings allow them or its server may have them.
 */
export async function reportUnknownSyntax(
  { plan, state }: Pick<ObjectChange, 'plan' | 'state'>,
  context: PlanContext<Clusters>,
): Promise<void> {
  const { name, policy, cluster } = plan;
  if (![name, policy, cluster].every(isKnown) || typeof cluster !== 'string') return;
  if (state?.policy === policy || ACL_SYNTAX_KNOWN.check({ policy }).length === 0) return;
  const title = titleIn(ACL_POLICY, plan);
  const isWarning = await acceptsUnknown(cluster, title, context);
  const definition = isWarning ? warningOfUnknownSyntax(UNKNOWN_SYNTAX) : UNKNOWN_SYNTAX;
  reportFindings(definition, { name, policy }, context.diagnostics);
}

async function acceptsUnknown(
  cluster: string,
  title: string,
  context: PlanContext<Clusters>,
): Promise<boolean> {
  const setting = context.providerData.readySettings(cluster)?.unknownPolicySyntax;
  if (setting !== undefined) return setting === 'warn';
  const health = await healthOf(cluster, title, context);
  return health !== undefined && !isKnownServer(health);
}
