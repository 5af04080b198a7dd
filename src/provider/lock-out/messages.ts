import { type LocatedMessage } from '../messages';
import type { SentinelPolicy, Verdict } from '../../enforcement';
import { EGP_POLICY, RGP_POLICY } from '../../model';
import { field, literal, phrase } from '../../model/messages';
import type { TerraformsRequest } from './terraforms-requests';

const MOST_REQUESTS = 5;

/** Reports a policy that refuses requests of Terraform itself. */
export interface LockOut {
  readonly request: TerraformsRequest;
  readonly verdict: Verdict;
}

/** @param confirmed the given confirmation, which differs from the name of the policy */
export function locksTerraformOut(
  policy: SentinelPolicy,
  refusals: readonly LockOut[],
  confirmed: string | null,
): LocatedMessage {
  const lines = refusals.slice(0, MOST_REQUESTS).map(lineOf);
  const more = refusals.length - lines.length;
  const confirm = field('confirm_lock_out', literal(policy.name));
  const confirmation =
    policy.kind === 'egp' ? phrase` Or, if this is intended, confirm it with ${confirm}.` : '';
  return {
    summary: `${titleOf(policy)} refuses requests from Terraform itself`,
    details: [
      policy.level === 'hard-mandatory'
        ? phrase`Once the policy is in force, the server denies these requests of this deployment,
      which then can no longer change the policy:`
        : phrase`Once the policy is in force, the server denies these requests of this deployment
      unless they override the policy:`,
      ...lines,
      ...(more > 0 ? [`- and ${more} more`] : []),
      ...(confirmed === null
        ? []
        : [`confirm_lock_out is ${JSON.stringify(confirmed)}, not the name of the policy.`]),
    ],
    cures: phrase`make the policy allow them, for example with a condition on request.path or on the token. Or start with
      ${field('enforcement_level', literal('advisory'))}.${confirmation}`,
  };
}

export function lockOutNotKnown(policy: SentinelPolicy, reads: string): LocatedMessage {
  return {
    summary: phrase`${titleOf(policy)}: it could not be determined whether it refuses requests from
      Terraform itself`,
    details: phrase`It applies to all of sys/ or auth/, or to every path, and depends on ${reads},
      which is not known before the request.`,
    cures: 'start with enforcement_level = "advisory", and check in the log what the server would deny',
  };
}

export function titleOf({ kind, name }: SentinelPolicy): string {
  return `${kind === 'egp' ? EGP_POLICY.title : RGP_POLICY.title} ${JSON.stringify(name)}`;
}

function lineOf({ request, verdict }: LockOut): string {
  const { operation, path, namespace } = request;
  const within = namespace === '' ? '' : ` in namespace ${namespace}`;
  return `- ${operation} ${path}${within}: ${reasonOf(verdict)}`;
}

function reasonOf({ error, outcome }: Verdict): string {
  if (error) return `the policy stops with an error: ${error.message}`;
  const failed =
    outcome?.rules.filter(({ value }) => value === false).map(({ name }) => JSON.stringify(name)) ?? [];
  return failed.length === 0
    ? '"main" does not pass'
    : `${failed.join(', ')} ${failed.length === 1 ? 'is' : 'are'} false`;
}
