import { type BackendFactory, type MountContext, type MountEntry, type Route, route } from '../core/backend';
import type { JsonObject } from '../core/primitives/json';
import { listFolder } from '../core/primitives/storage';

/**
 * An engine or auth method that returns what was written to a path, and does nothing with it.
 *
 * @param note is told of each write.
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
  // A later write changes the fields that it has, as those of configurations and roles do.
  const write = ({ data: { path }, body }: { data: { path: string }; body: JsonObject }) => {
    storage.put(path, { ...storage.get<JsonObject>(path), ...body });
    note();
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
