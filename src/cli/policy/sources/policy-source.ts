import { phrase, renderLine, renderText, type Message } from '../../../model/messages';
import {
  aclParseOptionsFor,
  AclPolicyError,
  Effort,
  patternOf,
  TooComplexError,
  describeFault,
  hasUnquotedExpression,
  type NamedAclPolicy,
  type TextPosition,
} from '../../../model';
import { parseAclSource } from '../../../model/acl/parse';
import { ASSUMED_SERVER_VERSION } from '../../../model/versions';
import { matchesPattern } from '../../../model/acl/reasoning/pattern';
import { visible } from '../../../text';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printError } from '../../output/print';

/** The text of an ACL policy from any source. */
export interface AclPolicyText {
  readonly name: string;
  /** The place for messages: a file, a stack's resource, a cluster. */
  readonly place: string;
  /** The namespace of the policy: empty for root, else `ns1/`. */
  readonly namespace: string;
  /** The text; empty if it cannot be read. */
  readonly text: string;
  /** The file as the user named it. Absent for other places. */
  readonly file?: string;
  /** The reason why the file cannot be read. Absent if it was read. */
  readonly unreadable?: string;
  /**
   * Returns where a line and column of the text are in the file. Absent if the text is the whole
   * file.
   */
  readonly at?: (position: TextPosition) => TextPosition;
  /**
   * Whether Terraform fills in expressions in the text, such as `${var.team}`. Absent if that is
   * not known.
   */
  readonly isTemplate?: boolean;
  /** The known mounts of the policy's cluster and namespace, such as `kv-2` at `secret`. */
  readonly mounts?: ReadonlyMap<string, string>;
}

/** A policy that cannot be examined. */
export interface PolicyFault extends AclPolicyText {
  readonly message: string;
  /** The message in one line, without the place. */
  readonly reason: string;
  /** The position of the fault in the file, if it is known. */
  readonly position?: TextPosition | undefined;
}

/** A policy with the positions of its rules. */
export interface PlacedPolicy extends NamedAclPolicy {
  readonly source: AclPolicyText;
  /** The positions, in the order of the rules. */
  readonly positions: readonly TextPosition[];
}

/**
 * Parses policies. A policy that cannot be parsed is returned as a fault.
 *
 * @param version the version of the server that reads the policies.
 */
export function parsePolicies(
  texts: readonly AclPolicyText[],
  version: string = ASSUMED_SERVER_VERSION,
): {
  readonly policies: readonly PlacedPolicy[];
  readonly faults: readonly PolicyFault[];
} {
  const policies: PlacedPolicy[] = [];
  const faults: PolicyFault[] = [];
  for (const each of texts) {
    const { name, namespace, text, place, isTemplate = false, unreadable } = each;
    const fault = (reason: Message, position?: TextPosition) => {
      const message = renderText({
        ...reason,
        summary: phrase`${placeText(visible(place), position)}: ${reason.summary}`,
      });
      faults.push({ ...each, message, reason: renderLine(reason), position });
    };
    if (unreadable !== undefined) {
      fault({ summary: unreadableText(unreadable) });
      continue;
    }
    if (isTemplate && hasUnquotedExpression(text)) {
      fault(NOT_KNOWN_YET);
      continue;
    }
    try {
      const { policy, positions } = parseAclSource(text, { namespace, ...aclParseOptionsFor(version) });
      policies.push({ name, policy, positions, source: each });
    } catch (error) {
      if (!(error instanceof AclPolicyError)) throw error;
      const { position, problem, cure } = describeFault(error, text);
      const summary = visible(`the policy cannot be parsed: ${problem}`);
      fault({ summary, cures: visible(cure) }, position && (each.at ?? itself)(position));
    }
  }
  return { policies, faults };
}

/** @throws UserError if policies cannot be parsed. */
export function allParsed({
  policies,
  faults,
}: {
  readonly policies: readonly NamedAclPolicy[];
  readonly faults: readonly PolicyFault[];
}): readonly NamedAclPolicy[] {
  if (faults.length > 0) throw new UserError(faults.map(({ message }) => message).join('\n'));
  return policies;
}

function itself(position: TextPosition): TextPosition {
  return position;
}

/**
 * Reports the policies that cannot be examined.
 *
 * @returns the exit code of the answer, unless the answer depends on one of these policies.
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
 * every part between quotes or line ends is taken for the path of one.
 */
export function mayDecideOn({ text, namespace, unreadable }: PolicyFault, path: string): boolean {
  // With escapes such as \u0073, a path is written in other characters than it has.
  if (unreadable !== undefined || text.includes('\\') || hasUnquotedExpression(text)) return true;
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

/** Returns the text that a file cannot be read, with the reason. */
export function unreadableText(why: string): string {
  return visible(`the file cannot be read: ${why}`);
}

/** Returns a place, with line and column if they are known. */
export function placeText(place: string, position: TextPosition | undefined): string {
  return position ? `${place}:${position.line}:${position.column}` : place;
}

const NOT_KNOWN_YET: Message = {
  summary: phrase`the policy contains a Terraform expression outside of quotes, so its rules are not known before
    terraform runs`,
  cures: phrase`compare it in the plan (its warnings, or "policy diff --plan"), or on the cluster after it is applied.
    "lint" and "check" read the rest of it`,
};
