import { goQuote, HclError, serverTypeOf, textOf, type HclItem, type HclNode } from '../hcl';
import { AclPolicyError } from './errors';

/**
 * Refuses keys that are not in `allowed`, all of them at once as the server does.
 *
 * @param prefix put before each complaint.
 * @throws HclError where there are no keys at all.
 * @throws AclPolicyError
 */
export function checkKeys(node: HclNode, allowed: readonly string[], prefix = ''): readonly HclItem[] {
  if (node.type !== 'object')
    throw new HclError(`${prefix}cannot check HCL keys of type ${serverTypeOf(node)}`);

  const unknown = node.items.flatMap(({ keys: [key], assignLine }) =>
    key && !allowed.includes(textOf(key)) ? [{ key: textOf(key), position: key.position, assignLine }] : [],
  );
  const [first] = unknown;
  if (first) {
    const complaints = unknown.map(
      ({ key, assignLine }) => `invalid key ${goQuote(key)} on line ${assignLine}`,
    );
    throw new AclPolicyError(listed(complaints.map((complaint) => prefix + complaint)), {
      ...first.position,
      received: first.key,
      allowed,
    });
  }
  return node.items;
}

/** Complaints the way the server lists them. */
function listed(complaints: readonly string[]): string {
  const count = complaints.length === 1 ? '1 error' : `${complaints.length} errors`;
  return `${count} occurred:\n\t* ${complaints.join('\n\t* ')}\n\n`;
}
