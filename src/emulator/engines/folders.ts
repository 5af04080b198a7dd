import type { LogicalResponse } from '../core/backend';
import type { Storage } from '../core/stores/storage';

/** Lists what lies directly below a folder; the empty path is the engine's root. */
export function listFolder(storage: Storage, path: string): LogicalResponse {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return { data: { keys: storage.list(inner === '' ? '' : `${inner}/`) } };
}
