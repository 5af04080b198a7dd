import { isOlder } from '../versions';
import type { AclOptions } from './acl';

/**
 * Returns how a server of a version decides on requests.
 *
 * @param version such as `1.21.0+ent`.
 */
export function aclOptionsFor(
  version: string,
): Required<Pick<AclOptions, 'perElementLists' | 'listsWithSlashFirst'>> {
  return {
    perElementLists: !isOlder(version, '1.21'),
    listsWithSlashFirst: !isOlder(version, '2.0.3'),
  };
}
