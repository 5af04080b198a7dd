import type { ClientOptions } from '../../client';
import { namespacePrefix } from '../../model';

/** The full path of a namespace with a final slash; empty for the root namespace. */
export function namespaceOf({ namespace }: Pick<ClientOptions, 'namespace'>, below?: unknown): string {
  return namespacePrefix(namespace) + namespacePrefix(typeof below === 'string' ? below : '');
}
