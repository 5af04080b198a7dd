import type { TextPosition } from '../definition/field';
import { goQuote, HclError, serverTypeOf, textOf, shownTypeOf, type HclItem, type HclNode } from '../hcl';
import { AclPolicyError } from './errors';

/** Whether an unknown word is left out instead of being refused. */
export type LeavesOut = (word: string, known: readonly string[]) => boolean;

/** The most keys that a message lists. The server has no limit. */
const MOST_LISTED = 100;
const LONGEST_LISTED = 256;

/**
 * Refuses keys that are not allowed, with all of them in one error as on the server.
 *
 * @param leavesOut whether an unknown key is left out instead of being refused.
 * @param prefix the text before each complaint.
 * @param place the place in the error if the value is not a block, because it has no place of its
 * own.
 * @throws HclError if the node cannot have keys.
 * @throws AclPolicyError for keys that are not allowed.
 */
export function checkKeys(
  node: HclNode,
  allowed: readonly string[],
  leavesOut: LeavesOut,
  prefix = '',
  place?: TextPosition,
): readonly HclItem[] {
  if (node.type !== 'object')
    throw new HclError(
      `${prefix}cannot check HCL keys of type ${serverTypeOf(node)}`,
      place,
      'value-for-block',
      `${prefix}the rule must be a block, and is ${shownTypeOf(node)}`,
    );

  const unknown = node.items.flatMap(({ keys: [key], assignLine }) =>
    key && !allowed.includes(textOf(key)) && !leavesOut(textOf(key), allowed)
      ? [{ key: textOf(key), position: key.position, assignLine }]
      : [],
  );
  const [first] = unknown;
  if (first) {
    const listedKeys = unknown.slice(0, MOST_LISTED);
    const problemOf = ({ key }: { key: string }) => `${prefix}invalid key ${goQuote(shortened(key))}`;
    // A block has no line of its own: the server writes 0.
    const complaints = listedKeys.map((each) =>
      each.assignLine === 0 ? problemOf(each) : `${problemOf(each)} on line ${each.assignLine}`,
    );
    const inServerWords = listedKeys.map((each) => `${problemOf(each)} on line ${each.assignLine}`);
    throw new AclPolicyError(listed(inServerWords, unknown.length), {
      ...first.position,
      kind: 'unknown-argument',
      complaints: [...complaints, ...notListed(complaints, unknown.length)],
      received: shortened(first.key),
      allowed,
    });
  }
  return node.items;
}

/** Returns complaints in the form in which the server lists them. */
function listed(complaints: readonly string[], total: number): string {
  const count = total === 1 ? '1 error' : `${total} errors`;
  return `${count} occurred:\n\t* ${[...complaints, ...notListed(complaints, total)].join('\n\t* ')}\n\n`;
}

function notListed(complaints: readonly string[], total: number): readonly string[] {
  return total > complaints.length ? [`and ${total - complaints.length} more`] : [];
}

function shortened(key: string): string {
  return key.length > LONGEST_LISTED ? `${key.slice(0, LONGEST_LISTED)}…` : key;
}
