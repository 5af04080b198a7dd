/**
 * The limits of an agent besides its policies: a ceiling, and the details of authorization in its
 * token.
 */
import { AclPolicySet, ceilingOf, LimitedPolicySet, type AclRule } from '../../../model';
import {
  EXPECTED_DETAILS,
  limitByDetails,
  readAuthorizationDetails,
} from '../../../policy/authorization-details';
import { readTextFile } from '../../../policy/text-file';
import { parseForeignJson, visible } from '../../../text';
import { UserError } from '../../errors';
import { readNamed } from '../../named-files';
import type { PolicyFault } from '../sources/policy-source';
import { readSet, type SourceFlags } from '../sources/read-set';

export interface AgentFlags {
  /** The names of the policies of the ceiling. */
  readonly ceiling?: readonly string[] | undefined;
  /** A file with the claim `authorization_details` of a token. */
  readonly authorizationDetails?: string | undefined;
}

/**
 * Reads the policies for a command as those of one token, with the limits of an agent.
 *
 * @returns `undefined` if a cluster did not answer; this is reported already.
 * @throws UserError if there are none, or as `limitedByFlags` does.
 */
export async function readLimitedSet(
  sources: readonly string[],
  flags: SourceFlags & AgentFlags,
  env: NodeJS.ProcessEnv,
): Promise<Awaited<ReturnType<typeof readSet>>> {
  const read = await readSet(sources, withCeiling(flags), env);
  return read && { ...read, set: limitedByFlags(read.set, read.faults, flags) };
}

/**
 * Divides policies into those of an agent and those of its ceiling, and returns them as one set.
 *
 * @throws UserError if a policy of the ceiling was not read, or the file does not contain the
 *   claim.
 */
export function limitedByFlags(
  set: AclPolicySet,
  faults: readonly PolicyFault[],
  flags: AgentFlags,
): AclPolicySet {
  const { ceiling } = flags;
  checkCeiling([...set.policies, ...faults], flags);
  if (!ceiling) return limitedSet(set, undefined, flags);
  const part = (isOfCeiling: boolean) =>
    new AclPolicySet(
      set.policies.filter(({ name }) => ceiling.includes(name) === isOfCeiling),
      set.options,
    );
  return limitedSet(part(false), part(true), flags);
}

/** @throws UserError if a policy of the ceiling was not read. */
export function checkCeiling(
  policies: readonly { readonly name: string }[],
  { ceiling = [] }: AgentFlags,
): void {
  const unknown = ceiling.find((name) => !policies.some((each) => each.name === name));
  if (unknown !== undefined) throw new UserError(`policy ${JSON.stringify(unknown)} not found`);
}

/** Returns flags that also select the policies of the ceiling. */
export function withCeiling<T extends AgentFlags & { readonly policy?: readonly string[] }>(flags: T): T {
  return flags.policy ? { ...flags, policy: [...flags.policy, ...(flags.ceiling ?? [])] } : flags;
}

/**
 * @throws UserError if the file does not contain the claim, or the claim has an undocumented part.
 */
function detailsIn(file: string): readonly AclRule[] {
  const read = readNamed(file, () => parseForeignJson(readTextFile(file)));
  return readAuthorizationDetails(read, (problem) => notDetails(file, problem));
}

/**
 * Returns a set whose requests must also be allowed by the limits of an agent.
 *
 * @param own the policies of the agent, without those of its ceiling.
 */
export function limitedSet(
  own: AclPolicySet,
  ceiling: AclPolicySet | undefined,
  { authorizationDetails: file }: AgentFlags,
): AclPolicySet {
  const limits = [
    ...(ceiling ? [ceilingOf(ceiling)] : []),
    ...(file === undefined
      ? []
      : [limitByDetails(detailsIn(file), own.options, (problem) => notDetails(file, problem))]),
  ];
  return limits.length === 0 ? own : new LimitedPolicySet(own, limits);
}

function notDetails(file: string, reason: string): UserError {
  return new UserError(
    visible(`${file} is not the claim authorization_details: ${reason}\n${EXPECTED_DETAILS}`),
  );
}
