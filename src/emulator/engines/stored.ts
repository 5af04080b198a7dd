import { type BackendFactory, type MountContext, type MountEntry, type Route, route } from '../core/backend';
import type { JsonObject } from '../core/primitives/json';
import { listFolder } from '../core/primitives/storage';

/**
 * Creates an engine or auth method that stores what is written to a path, and returns it to reads.
 *
 * @param note is called for each write.
 */
export function stored(note: (mount: MountEntry) => void): BackendFactory {
  return (context) => ({
    type: context.mount.type,
    help: `The emulator does not implement ${context.mount.type}: it stores what is written below the mount.`,
    routes: [paths(context, () => note(context.mount)), root(context)],
  });
}

function root({ storage }: MountContext): Route {
  return route({ pattern: '', operations: { list: () => listFolder(storage, '') } });
}

function paths({ storage }: MountContext, note: () => void): Route {
  // A later write changes only the fields that it has, like writes of configurations and roles.
  const write = ({ data: { path }, body }: { data: { path: string }; body: JsonObject }) => {
    storage.put(path, { ...storage.get<JsonObject>(path), ...body });
    note();
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
      delete: ({ data: { path } }) => storage.delete(path),
      list: ({ data: { path } }) => listFolder(storage, path),
    },
    help: { synopsis: 'Stores and returns what is written, without effect.' },
  });
}
