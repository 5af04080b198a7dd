import { goQuote, HclError, serverTypeOf, textOf, type HclItem, type HclNode } from '../hcl';

/**
 * Refuses keys that are not in `allowed`, all of them at once as the server does.
 *
 * @param prefix put before each complaint.
 * @throws HclError
 */
export function checkKeys(node: HclNode, allowed: readonly string[], prefix = ''): readonly HclItem[] {
  if (node.type !== 'object')
    throw new HclError(`${prefix}cannot check HCL keys of type ${serverTypeOf(node)}`);

  const unknown = node.items.filter(({ keys }) => keys[0] && !allowed.includes(textOf(keys[0])));
  if (unknown.length > 0) {
    const complaints = unknown.map(
      ({ keys, assignLine }) =>
        `${prefix}invalid key ${goQuote(keys[0] ? textOf(keys[0]) : '')} on line ${assignLine}`,
    );
    throw new HclError(listed(complaints), unknown[0]?.keys[0]?.position);
  }
  return node.items;
}

/** Complaints the way the server lists them. */
function listed(complaints: readonly string[]): string {
  const count = complaints.length === 1 ? '1 error' : `${complaints.length} errors`;
  return `${count} occurred:\n\t* ${complaints.join('\n\t* ')}\n\n`;
}
