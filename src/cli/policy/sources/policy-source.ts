import { phrase, type Message } from '../../../model/messages';
import {
  AclPolicyError,
  hasUnquotedExpression,
  parseAclPolicy,
  type NamedAclPolicy,
  type TextPosition,
} from '../../../model';
import { visible } from '../../../text';
import { UserError } from '../../errors';

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

/**
 * Parses policies, so that they can be asked.
 *
 * @throws UserError for one that the server would refuse.
 */
export function parsePolicies(texts: readonly PolicyText[]): readonly NamedAclPolicy[] {
  return texts.map(({ name, namespace, text, place, at = (position) => position, isTemplate = false }) => {
    if (isTemplate && hasUnquotedExpression(text)) throw new UserError(notKnownYet(place));
    try {
      return { name, policy: parseAclPolicy(text, { namespace }) };
    } catch (error) {
      if (!(error instanceof AclPolicyError)) throw error;
      const where = placeText(
        place,
        error.line === undefined ? undefined : at(positionOf(error.line, error.column)),
      );
      throw new UserError(visible(`${where}: the policy cannot be parsed: ${error.message.trim()}`));
    }
  });
}

function positionOf(line: number, column = 1): TextPosition {
  return { line, column };
}

/** A place, with line and column if they are known. */
export function placeText(place: string, position: TextPosition | undefined): string {
  return position ? `${place}:${position.line}:${position.column}` : place;
}

function notKnownYet(place: string): Message {
  return {
    summary: phrase`${visible(place)}: the policy contains a Terraform expression outside of quotes, so its rules are not
      known before terraform runs`,
    cures: phrase`compare it in the plan (becomes_allowed, becomes_denied), or on the cluster after it is applied. "lint"
      and "check" read the rest of it`,
  };
}
