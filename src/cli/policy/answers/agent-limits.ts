/** Limits of an agent beside its policies: a ceiling, and details of authorization in its token. */
import {
  AclPolicySet,
  explainRequest,
  LimitedPolicySet,
  refusalText,
  type AclExplanation,
  type AclRequest,
  type AclRule,
} from '../../../model';
import {
  EXPECTED_DETAILS,
  readAuthorizationDetails,
  setOfDetails,
  setsOfDetails,
} from '../../../policy/authorization-details';
import { readTextFile } from '../../../policy/text-file';
import { parseForeignJson, visible } from '../../../text';
import { UserError } from '../../errors';
import type { PolicyFault } from '../sources/policy-source';
import { examined } from './examined';

export interface AgentFlags {
  /** The names of the policies that limit the others. */
  readonly ceiling?: readonly string[] | undefined;
  /** A file with the claim `authorization_details` of a token. */
  readonly authorizationDetails?: string | undefined;
}

/** A limit, and whether it permits the request. */
interface AgentLimit {
  readonly name: 'ceiling' | 'authorization details';
  readonly explanation: AclExplanation;
}

/** Divides policies into those of an agent and those of its ceiling. Without names, it has none. */
export function divided(
  set: AclPolicySet,
  faults: readonly PolicyFault[],
  { ceiling = [] }: AgentFlags,
): { readonly own: AclPolicySet; readonly ceiling: AclPolicySet | undefined } {
  checkCeiling([...set.policies, ...faults], { ceiling });
  const part = (isOfCeiling: boolean) =>
    new AclPolicySet(
      set.policies.filter(({ name }) => ceiling.includes(name) === isOfCeiling),
      set.options,
    );
  return { own: part(false), ceiling: ceiling.length === 0 ? undefined : part(true) };
}

/** @throws UserError if a policy of the ceiling is not among those that were read. */
export function checkCeiling(
  policies: readonly { readonly name: string }[],
  { ceiling = [] }: AgentFlags,
): void {
  const unknown = ceiling.find((name) => !policies.some((each) => each.name === name));
  if (unknown !== undefined) throw new UserError(`policy ${JSON.stringify(unknown)} not found`);
}

/** Returns flags by which the policies of the ceiling are chosen as well. */
export function withCeiling<T extends AgentFlags & { readonly policy?: readonly string[] }>(flags: T): T {
  return flags.policy ? { ...flags, policy: [...flags.policy, ...(flags.ceiling ?? [])] } : flags;
}

/** Returns how the limits of an agent decide on a request. */
export function limitsOn(
  request: AclRequest,
  ceiling: AclPolicySet | undefined,
  { authorizationDetails }: AgentFlags,
  options: AclPolicySet['options'],
): readonly AgentLimit[] {
  const ofCeiling = ceiling && examined(() => explainRequest(ceiling, request));
  return [
    ...(ofCeiling ? [{ name: 'ceiling' as const, explanation: ofCeiling }] : []),
    ...(authorizationDetails === undefined
      ? []
      : [
          {
            name: 'authorization details' as const,
            explanation: ofDetails(request, setsOfDetails(detailsIn(authorizationDetails), options)),
          },
        ]),
  ];
}

/** Explains a request by the first detail that permits it, otherwise by the last one. */
function ofDetails(request: AclRequest, details: readonly AclPolicySet[]): AclExplanation {
  const explained = details.map((each) => examined(() => explainRequest(each, request)));
  return explained.find(({ allowed }) => allowed) ?? explained.find(({ rule }) => rule) ?? explained[0]!;
}

/** Returns why a limit refuses a request. */
export function limitText({ name, explanation: { refusal } }: AgentLimit): string {
  const reason = refusal ? `: ${refusalText(refusal)}` : '';
  return `the ${name} ${name === 'ceiling' ? 'does' : 'do'} not allow it${reason}`;
}

/** @throws UserError if the file is not the claim, or has what is not documented. */
function detailsIn(file: string): readonly AclRule[] {
  let read: unknown;
  try {
    read = parseForeignJson(readTextFile(file));
  } catch (error) {
    throw new UserError(visible(`${file} cannot be read: ${(error as Error).message}`));
  }
  return readAuthorizationDetails(read, (problem) => notDetails(file, problem));
}

/**
 * Returns a set with the limits of an agent, as one set that can be compared and listed.
 *
 * @param own the policies of the agent, without those of its ceiling.
 */
export function limitedSet(
  own: AclPolicySet,
  ceiling: AclPolicySet | undefined,
  { authorizationDetails: file }: AgentFlags,
): AclPolicySet {
  const limits = [
    ...(ceiling ? [ceiling] : []),
    ...(file === undefined
      ? []
      : [setOfDetails(detailsIn(file), own.options, (problem) => notDetails(file, problem))]),
  ];
  return limits.length === 0 ? own : new LimitedPolicySet(own, limits);
}

function notDetails(file: string, reason: string): UserError {
  return new UserError(
    visible(`${file} is not the claim authorization_details: ${reason}\n${EXPECTED_DETAILS}`),
  );
}
