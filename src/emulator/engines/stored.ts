import { type BackendFactory, type MountContext, type Route, route } from '../core/backend';
import type { JsonObject } from '../core/primitives/json';
import { listFolder } from '../core/primitives/storage';

/** An engine or auth method that returns what was written to a path, and does nothing with it. */
export const stored: BackendFactory = (context) => ({
  type: context.mount.type,
  help: `The emulator does not implement ${context.mount.type}: it stores what is written below the mount.`,
  routes: [paths(context), root(context)],
});

function root({ storage }: MountContext): Route {
  return route({ pattern: '', operations: { list: () => listFolder(storage, '') } });
}

function paths({ storage }: MountContext): Route {
  // A later write changes the fields that it has, as those of configurations and roles do.
  const write = ({ data: { path }, body }: { data: { path: string }; body: JsonObject }) => {
    storage.put(path, { ...storage.get<JsonObject>(path), ...body });
    return undefined;
  };
  return route({
    pattern: '*path',
    fields: { path: { type: 'string', path: true, description: 'Any path.' } },
    arbitraryInput: true,
    exists: ({ data: { path } }) => storage.get(path) !== undefined,
    operations: {
      read: ({ data: { path } }) => {
        const data = storage.get<JsonObject>(path);
        return data && { data };
      },
      create: write,
      update: write,
      patch: write,
      delete: ({ data: { path } }) => {
        storage.delete(path);
        return undefined;
      },
      list: ({ data: { path } }) => listFolder(storage, path),
    },
    help: { synopsis: 'Stores and returns what is written, without effect.' },
  });
}
