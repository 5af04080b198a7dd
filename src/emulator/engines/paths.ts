import type { LogicalResponse } from '../core/backend';
import type { Storage } from '../core/storage';

/** A folder as a prefix of keys: `team/`; the engine's root is the empty text. */
export function folder(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `${inner}/`;
}

/** Lists what lies directly below a folder. */
export function listFolder(storage: Storage, path: string): LogicalResponse {
  return { data: { keys: storage.list(folder(path)) } };
}
