import { route, type MountContext, type Route } from '../../core/backend';
import { isJsonObject, type JsonObject } from '../../core/primitives/json';
import { readVersion } from './data';
import { versionedSecrets, type Secret } from './storage';

/** The route that reads the structure of a secret without its values. */
export function subkeysRoute({ storage, clock }: MountContext): Route {
  const secrets = versionedSecrets(storage);
  return route({
    pattern: 'subkeys/*path',
    fields: {
      path: { type: 'string', path: true, description: 'Location of the secret.' },
      version: { type: 'integer', default: 0, description: 'The version; 0 for the current one.' },
      depth: { type: 'integer', default: 0, description: 'How many levels to show; 0 for all.' },
    },
    operations: {
      read: ({ data: { path, version, depth } }) => {
        const secret = secrets.get<Secret>(path);
        const levels = depth === 0 ? Infinity : depth;
        return (
          secret &&
          readVersion(secret, version, clock.now(), (content) => ({
            subkeys: content && withoutValues(content, levels),
          }))
        );
      },
    },
    help: { synopsis: 'Read the structure of a secret with the values removed.' },
  });
}

function withoutValues(content: JsonObject, levels: number): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => {
      const shown = levels > 1 && isJsonObject(value) && Object.keys(value).length > 0;
      return [key, shown ? withoutValues(value, levels - 1) : null];
    }),
  );
}
