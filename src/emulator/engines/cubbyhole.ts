import { route, type MountBackend, type LogicalRequest, type MountContext } from '../core/backend';
import { invalidRequest, permissionDenied } from '../core/errors';
import type { JsonObject } from '../core/primitives/json';
import { type Storage, listFolder } from '../core/primitives/storage';

type Caller = Pick<LogicalRequest, 'token'>;

/**
 * The private storage of each token: other tokens cannot access it, and it is deleted with the
 * token.
 */
export function cubbyhole({ mount, storage }: MountContext): MountBackend {
  const own = (request: Caller) => ownStorage(storage, request);
  const write = (request: Caller & Pick<LogicalRequest, 'body'> & { data: { path: string } }) => {
    if (Object.keys(request.body).length === 0) throw invalidRequest('missing data fields');
    own(request).put(request.data.path, request.body);
  };
  return {
    type: mount.type,
    help: 'Stores secrets that live and die with the token that wrote them.',
    recoverable: () => true,
    routes: [
      route({
        pattern: '',
        operations: { list: (request) => listFolder(own(request), '') },
        help: { synopsis: 'Lists the secrets of the calling token.' },
      }),
      route({
        pattern: '*path',
        fields: { path: { type: 'string', path: true, description: 'Location of the secret.' } },
        arbitraryInput: true,
        exists: (request) => own(request).get(request.data.path) !== undefined,
        operations: {
          read: (request) => {
            const data = own(request).get<JsonObject>(request.data.path);
            return data && { data };
          },
          create: write,
          update: write,
          delete: (request) => own(request).delete(request.data.path),
          list: (request) => listFolder(own(request), request.data.path),
        },
        help: { synopsis: 'Reads, writes, deletes and lists secrets of the calling token.' },
      }),
    ],
  };
}

/** Returns the folder of a token, which the core empties when the token ends. */
function ownStorage(storage: Storage, { token }: Caller): Storage {
  if (token === undefined) throw permissionDenied();
  if (token.type === 'batch') {
    throw invalidRequest('cubbyhole operations are only supported by "service" type tokens');
  }
  return storage.view(`${token.accessor}/`);
}
