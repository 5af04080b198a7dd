import { type Namespace, type Route, route } from '../core/backend';
import type { JsonObject } from '../core/primitives/json';

/**
 * Returns the route that lists the ids of records, with their details.
 *
 * @param what the words for the listed records in the help.
 * @param detailsIn returns the details of the records in a namespace, by id.
 */
export function idListRoute(
  pattern: string,
  what: string,
  detailsIn: (namespace: Namespace) => readonly (readonly [id: string, JsonObject])[],
): Route {
  return route({
    pattern,
    operations: {
      list: ({ namespace }) => {
        const found = detailsIn(namespace);
        return { data: { key_info: Object.fromEntries(found), keys: found.map(([id]) => id) } };
      },
    },
    help: { synopsis: `Lists the ids of ${what}.` },
  });
}

/**
 * Returns the routes that list entities or groups: by id with details, and by name.
 *
 * @param plural the word for the listed records in the help.
 * @param all returns the records of a namespace.
 * @param info returns the details of a record.
 */
export function listRoutes<T extends { readonly id: string; readonly name: string }>(
  kind: 'entity' | 'group',
  plural: string,
  all: (namespace: Namespace) => readonly T[],
  info: (each: T) => JsonObject,
): readonly Route[] {
  return [
    idListRoute(`${kind}/id`, plural, (namespace) => all(namespace).map((each) => [each.id, info(each)])),
    route({
      pattern: `${kind}/name`,
      operations: { list: ({ namespace }) => ({ data: { keys: all(namespace).map(({ name }) => name) } }) },
      help: { synopsis: `Lists the names of ${plural}.` },
    }),
  ];
}
