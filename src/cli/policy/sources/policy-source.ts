import { AclPolicyError, parseAclPolicy, type NamedAclPolicy } from '../../../model';
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
  /** What is mounted where the policy counts, as far as it is known: `kv-2` at `secret`. */
  readonly mounts?: ReadonlyMap<string, string>;
}

/**
 * Parses policies, so that they can be asked.
 *
 * @throws UserError for one that the server would refuse.
 */
export function parsePolicies(texts: readonly PolicyText[]): readonly NamedAclPolicy[] {
  return texts.map(({ name, namespace, text, place }) => {
    try {
      return { name, policy: parseAclPolicy(text, { namespace }) };
    } catch (error) {
      if (!(error instanceof AclPolicyError)) throw error;
      const at = error.line === undefined ? place : `${place}:${error.line}:${error.column ?? 1}`;
      throw new UserError(visible(`${at}: the policy cannot be parsed: ${error.message.trim()}`));
    }
  });
}
