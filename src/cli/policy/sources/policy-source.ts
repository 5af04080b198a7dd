import { phrase, renderText, type Message } from '../../../model/messages';
import {
  AclPolicyError,
  Effort,
  patternOf,
  TooComplexError,
  complaintOf,
  describeFault,
  hasUnquotedExpression,
  parseAclPolicy,
  type NamedAclPolicy,
  type TextPosition,
} from '../../../model';
import { matchesPattern } from '../../../model/acl/reasoning/pattern';
import { visible } from '../../../text';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printError } from '../../output/print';

/** The text of an ACL policy, from wherever it is. */
export interface PolicyText {
  readonly name: string;
  /** Where it is, for messages: a file, a stack's resource, a cluster. */
  readonly place: string;
  /** The namespace it belongs to: empty for root, else `ns1/`. */
  readonly namespace: string;
  readonly text: string;
  /** Where a line and column of the text are in the file. Absent if the text is all of the file. */
  readonly at?: (position: TextPosition) => TextPosition;
  /** Whether the text may hold expressions of Terraform: `${var.team}`. */
  readonly isTemplate?: boolean;
  /** The known mounts of the policy's cluster and namespace: `kv-2` at `secret`. */
  readonly mounts?: ReadonlyMap<string, string>;
}

/** A policy that cannot be examined. */
export interface PolicyFault extends Pick<PolicyText, 'name' | 'namespace' | 'text'> {
  readonly message: string;
}

/** Parses policies, and returns the faults of the others. */
export function parsePolicies(texts: readonly PolicyText[]): {
  readonly policies: readonly NamedAclPolicy[];
  readonly faults: readonly PolicyFault[];
} {
  const policies: NamedAclPolicy[] = [];
  const faults: PolicyFault[] = [];
  for (const each of texts) {
    const { name, namespace, text, place, isTemplate = false } = each;
    const fault = (message: Message) => faults.push({ name, namespace, text, message: renderText(message) });
    if (isTemplate && hasUnquotedExpression(text)) {
      fault(notKnownYet(place));
      continue;
    }
    try {
      policies.push({ name, policy: parseAclPolicy(text, { namespace }) });
    } catch (error) {
      if (!(error instanceof AclPolicyError)) throw error;
      fault(refusedText(each, error));
    }
  }
  return { policies, faults };
}

/** @throws UserError if policies cannot be parsed. */
export function allParsed({ policies, faults }: ReturnType<typeof parsePolicies>): readonly NamedAclPolicy[] {
  if (faults.length > 0) throw new UserError(faults.map(({ message }) => message).join('\n'));
  return policies;
}

function refusedText(
  { place, text, at = (position) => position }: PolicyText,
  error: AclPolicyError,
): Message {
  const { position, cure } = describeFault(error, text);
  const where = placeText(place, position && at(position));
  return {
    summary: visible(`${where}: the policy cannot be parsed: ${complaintOf(error)}`),
    cures: visible(cure),
  };
}

/**
 * Reports the policies that cannot be examined.
 *
 * @returns the exit code: that of the answer, unless it depends on one of them.
 */
export function reportFaults(
  faults: readonly PolicyFault[],
  answer: ExitCode,
  isConcerned: (fault: PolicyFault) => boolean = () => true,
): ExitCode {
  for (const { message } of faults) printError(message);
  const concerned = faults.filter(isConcerned);
  if (concerned.length === 0) return answer;
  const names = [...new Set(concerned.map(({ name }) => JSON.stringify(name)))].join(', ');
  printError(`the answer is for the other policies, and depends on ${names} as well`);
  return EXIT.usage;
}

/**
 * Whether a policy that cannot be parsed may have a rule for a path. Its rules are not known, so
 * every part between quotes or line ends is taken for one.
 */
export function mayDecideOn({ text, namespace }: PolicyFault, path: string): boolean {
  if (hasUnquotedExpression(text)) return true;
  const segments = path.replace(/^\/+/, '').split('/');
  const folder = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  const effort = Effort.for([{ names: [], characters: text.length + path.length }]);
  try {
    return text.split(/["'\n]/).some((part) => {
      const pattern = patternOf(namespace + part.trim().replace(/^\//, ''));
      return matchesPattern(pattern, segments, effort) || matchesPattern(pattern, folder, effort);
    });
  } catch (error) {
    if (error instanceof TooComplexError) return true;
    throw error;
  }
}

/** A place, with line and column if they are known. */
export function placeText(place: string, position: TextPosition | undefined): string {
  return position ? `${place}:${position.line}:${position.column}` : place;
}

function notKnownYet(place: string): Message {
  return {
    summary: phrase`${visible(place)}: the policy contains a Terraform expression outside of quotes, so its rules are not
      known before terraform runs`,
    cures: phrase`compare it in the plan (its warnings, or "policy diff --plan"), or on the cluster after it is applied.
      "lint" and "check" read the rest of it`,
  };
}
