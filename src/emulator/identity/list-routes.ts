import { type LogicalResponse, type Namespace, type Route, route } from '../core/backend';
import type { JsonObject } from '../core/primitives/json';

/**
 * Routes that list entities or groups: by id with details, and by name.
 *
 * @param plural the word for the help.
 * @param all returns the records of a namespace.
 * @param info returns the details of a record.
 */
export function listRoutes<T extends { readonly id: string; readonly name: string }>(
  kind: 'entity' | 'group',
  plural: string,
  all: (namespace: Namespace) => readonly T[],
  info: (each: T) => JsonObject,
): readonly Route[] {
  const ids = ({ namespace }: { readonly namespace: Namespace }): LogicalResponse => {
    const found = all(namespace);
    return {
      data: {
        key_info: Object.fromEntries(found.map((each) => [each.id, info(each)])),
        keys: found.map(({ id }) => id),
      },
    };
  };
  return [
    route({
      pattern: `${kind}/id`,
      operations: { list: ids },
      help: { synopsis: `Lists the ids of ${plural}.` },
    }),
    route({
      pattern: `${kind}/name`,
      operations: { list: ({ namespace }) => ({ data: { keys: all(namespace).map(({ name }) => name) } }) },
      help: { synopsis: `Lists the names of ${plural}.` },
    }),
  ];
}
