import type { TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { objectTitle, type FieldValues, type ObjectDefinition, textForServer } from '../../../src/model';
import type { IVaultCluster } from '../../clusters/cluster';
import { namespaceProblems, problemsOf } from '../../private/checks';
import { recordWriter, defaultName } from '../../clusters/private/written-objects';
import { isUnknown } from '../../private/known';
import { checkAtSynthesis, refuseConstruct } from '../../private/report';

/** The properties that policies of every kind have. */
interface PolicyProps {
  readonly cluster: IVaultCluster;
  readonly policyName?: string;
  readonly namespace?: string;
  readonly document?: { readonly _file?: string | undefined } | undefined;
}

/** The arguments that the Terraform resources of every kind of policy have. */
interface PolicyArguments {
  readonly provider: TerraformProvider;
  readonly name: string;
  readonly namespace?: string;
}

const REFERENCE = 'fromPolicyName';

/**
 * Checks a policy, reserves its name on its cluster, and returns the arguments that every kind has.
 *
 * @param fields the fields that only this kind of policy has, with their present values.
 * @param pending the fields that may still change, and are checked when the app is synthesized.
 */
export function declarePolicy(
  construct: Construct,
  definition: ObjectDefinition,
  props: PolicyProps,
  fields: () => FieldValues,
  pending: readonly string[] = [],
): PolicyArguments {
  const { cluster, policyName: name = defaultName(construct), namespace, document } = props;
  const values = (): FieldValues => ({ name, ...fields() });

  const title = objectTitle(definition, isUnknown(name) ? undefined : name);
  const problems = [
    ...problemsOf(construct, definition, values(), pending, { policy: document?._file }),
    ...namespaceProblems(title, namespace),
  ];
  refuseConstruct(construct, problems);
  if (pending.length > 0) {
    checkAtSynthesis(construct, () => problemsOf(construct, definition, values()));
  }
  recordWriter(construct, definition, { cluster, name, namespace }, REFERENCE);

  return { provider: cluster.providerFor(construct), name, namespace };
}

/**
 * Refuses a policy that uses a later version of Sentinel than its server has, if the server's
 * version is known.
 */
export function refuseNewerSentinel(
  construct: Construct,
  definition: ObjectDefinition,
  policy: { readonly name: string; readonly policy: string },
  { cluster: { serverVersion }, document }: PolicyProps,
): void {
  if (serverVersion === undefined) return;
  const { name, policy: text } = policy;
  const ofServer = textForServer(definition, serverVersion);
  const problems = problemsOf(construct, ofServer, { name, policy: text }, [], {
    policy: document?._file,
  });
  refuseConstruct(construct, problems);
}
