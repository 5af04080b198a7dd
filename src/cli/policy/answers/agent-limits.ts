/** Limits of an agent beside its policies: a ceiling, and details of authorization in its token. */
import {
  ACL_CAPABILITIES,
  AclPolicySet,
  explainRequest,
  refusalText,
  type AclCapability,
  type AclExplanation,
  type AclRequest,
  type AclRule,
} from '../../../model';
import { readTextFile } from '../../../policy/text-file';
import { isRecord, parseForeignJson, visible, type JsonRecord } from '../../../text';
import { UserError } from '../../errors';
import type { PolicyFault } from '../sources/policy-source';
import { examined } from './examined';

export interface AgentFlags {
  /** The names of the policies that limit the others. */
  readonly ceiling?: readonly string[];
  /** A file with the claim `authorization_details` of a token. */
  readonly authorizationDetails?: string;
}

/** A limit, and whether it permits the request. */
interface AgentLimit {
  readonly name: 'ceiling' | 'authorization details';
  readonly explanation: AclExplanation;
}

/** The type of the details that restrict paths. */
const PATH_ACCESS = 'vault:path_access';

/** Divides policies into those of an agent and those of its ceiling. Without names, it has none. */
export function divided(
  set: AclPolicySet,
  faults: readonly PolicyFault[],
  { ceiling = [] }: AgentFlags,
): { readonly own: AclPolicySet; readonly ceiling: AclPolicySet | undefined } {
  const unknown = ceiling.find((name) => ![...set.policies, ...faults].some((each) => each.name === name));
  if (unknown !== undefined) throw new UserError(`policy ${JSON.stringify(unknown)} not found`);
  const part = (isOfCeiling: boolean) =>
    new AclPolicySet(
      set.policies.filter(({ name }) => ceiling.includes(name) === isOfCeiling),
      set.options,
    );
  return { own: part(false), ceiling: ceiling.length === 0 ? undefined : part(true) };
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
            explanation: ofDetails(request, detailsIn(authorizationDetails, options)),
          },
        ]),
  ];
}

/** Explains a request by the first detail that permits it, otherwise by the last one. */
function ofDetails(request: AclRequest, details: readonly AclPolicySet[]): AclExplanation {
  const explained = details.map((each) => examined(() => explainRequest(each, request)));
  const decided = explained.find(({ allowed }) => allowed) ?? explained.find(({ rule }) => rule);
  return decided ?? explainRequest(new AclPolicySet([]), request);
}

/** Returns why a limit refuses a request. */
export function limitText({ name, explanation: { refusal } }: AgentLimit): string {
  const reason = refusal ? `: ${refusalText(refusal)}` : '';
  return `the ${name} ${name === 'ceiling' ? 'does' : 'do'} not allow it${reason}`;
}

/** @throws UserError if the file is not the claim, or has what is not documented. */
function detailsIn(file: string, options: AclPolicySet['options']): readonly AclPolicySet[] {
  let read: unknown;
  try {
    read = parseForeignJson(readTextFile(file));
  } catch (error) {
    throw new UserError(visible(`${file} cannot be read: ${(error as Error).message}`));
  }
  const list = isRecord(read) ? read['authorization_details'] : read;
  if (!Array.isArray(list)) throw notDetails(file, 'it is not a list');
  return list
    .filter((each) => !isRecord(each) || each['type'] === PATH_ACCESS)
    .map((each, index) => {
      const name = `detail ${index + 1}`;
      const path: unknown = isRecord(each) ? each['path'] : undefined;
      if (!isRecord(each) || typeof path !== 'string') throw notDetails(file, `${name} has no path`);
      if (/\*$|(^|\/)\+(\/|$)/.test(path)) throw notDetails(file, `the path of ${name} is a pattern`);
      const rule = { path, ...ruleOf(each, (problem) => notDetails(file, `${name} ${problem}`)) };
      return new AclPolicySet([{ name, policy: { namespace: '', rules: [rule] } }], options);
    });
}

/** Returns what a detail permits on its path, as a rule. */
function ruleOf(detail: JsonRecord, mistaken: (problem: string) => UserError): Omit<AclRule, 'path'> {
  const { capabilities, required_parameters: required = [] } = detail;
  if (!isListOf(capabilities, isCapability))
    throw mistaken(`needs a list of capabilities, of ${ACL_CAPABILITIES.join(', ')}`);
  if (!isListOf(required, isText)) throw mistaken('has required_parameters that are no list of names');
  const constraints = (name: 'allowed_parameters' | 'denied_parameters') => {
    const values = detail[name] ?? {};
    if (!isRecord(values) || !Object.values(values).every(Array.isArray))
      throw mistaken(`has ${name} that are no lists of values by name`);
    const lists = Object.entries(values).map(
      ([key, list]) => [key.toLowerCase(), list as unknown[]] as const,
    );
    return Object.fromEntries(lists);
  };
  return {
    capabilities,
    requiredParameters: required,
    allowedParameters: constraints('allowed_parameters'),
    deniedParameters: constraints('denied_parameters'),
  };
}

function isListOf<T>(value: unknown, isElement: (element: unknown) => element is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isElement);
}

function isCapability(value: unknown): value is AclCapability {
  return ACL_CAPABILITIES.some((each) => each === value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function notDetails(file: string, reason: string): UserError {
  return new UserError(
    visible(
      `${file} is not the claim authorization_details: ${reason}\nExpected: [{"type": "${PATH_ACCESS}", "path": "…", "capabilities": ["…"]}]`,
    ),
  );
}
