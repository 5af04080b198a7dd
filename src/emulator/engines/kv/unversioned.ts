import { route, type MountBackend, type MountContext, type Route } from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import { decodeField, FieldError } from '../../core/input/field-schemas';
import type { JsonObject } from '../../core/primitives/json';
import { listFolder } from '../../core/primitives/storage';
import { unversionedSecrets } from './storage';

/** Creates KV version 1: one value for each path, which the next write replaces. */
export function unversionedKv(context: MountContext): MountBackend {
  return {
    type: 'kv',
    help: 'Stores secrets as they are written, one value a path.',
    recoverable: () => true,
    routes: [secrets(context), root(context)],
  };
}

function root({ storage }: MountContext): Route {
  return route({
    pattern: '',
    operations: { list: () => listFolder(unversionedSecrets(storage), '') },
  });
}

function secrets({ storage, leaseTtls }: MountContext): Route {
  const stored = unversionedSecrets(storage);
  const write = ({ data: { path }, body }: { data: { path: string }; body: JsonObject }) => {
    if (Object.keys(body).length === 0) throw invalidRequest('missing data fields');
    stored.put(path, body);
  };
  return route({
    pattern: '*path',
    fields: { path: { type: 'string', path: true, description: 'Location of the secret.' } },
    arbitraryInput: true,
    exists: ({ data: { path } }) => stored.get(path) !== undefined,
    operations: {
      read: ({ data: { path } }) => {
        const data = stored.get<JsonObject>(path);
        if (data === undefined) return undefined;
        const durationSeconds = ttlHint(data) ?? leaseTtls().default;
        return { data, lease: { id: '', renewable: false, durationSeconds } };
      },
      create: write,
      update: write,
      delete: ({ data: { path } }) => stored.delete(path),
      list: ({ data: { path } }) => listFolder(stored, path),
    },
    help: { synopsis: 'Reads, writes, deletes and lists secrets.' },
  });
}

/**
 * Returns the lease duration that a secret suggests to its readers, in its field `ttl` or `lease`.
 */
function ttlHint(secret: JsonObject): number | undefined {
  const hint = secret['ttl'] ?? secret['lease'];
  if (hint === undefined) return undefined;
  try {
    return decodeField('duration', hint);
  } catch (error) {
    if (error instanceof FieldError) return undefined;
    throw error;
  }
}
