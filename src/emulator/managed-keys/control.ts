import { managedKeyBackendOf } from '../../model';
import { own } from '../../text';
import { LogicalError, invalidRequest, notFound } from '../core/errors';
import { strictFields } from '../control/strict-fields';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterParts } from '../core/request/parts';
import type { KeyOperations } from './key-operations';
import { type Collection, type KeyStores, KeyStoreError } from './key-stores';
import { type ManagedKeyEntry, ManagedKeyStore } from './store';
import { refusal } from './test-sign';

/** A request to the control API. */
interface Controlled {
  readonly cluster: Pick<ClusterParts, 'namespaces' | 'storage'>;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** The part of the path after the route. */
  readonly rest: string;
}

type Action = (request: Controlled) => object | void | Promise<object | void>;

/**
 * The control API's actions on the backends of managed keys: their contents, and the operations of
 * secrets engines that the emulator does not have. A route that ends with a slash is followed by
 * parameters.
 */
export function managedKeyActions(operations: KeyOperations): Readonly<Record<string, Action>> {
  const { stores } = operations;
  return {
    'GET key-stores': () => showAll(stores),
    'DELETE key-stores': () => stores.clear(),
    'GET key-stores/': ({ rest }) => {
      const { collection, name } = findCollection(stores, rest);
      return { [name]: collection.list() };
    },
    'POST key-stores/': ({ rest, body }) => add(findCollection(stores, rest).collection, body),
    'DELETE key-stores/': ({ rest }) => {
      const { collection, id } = findCollection(stores, rest);
      if (id === undefined || !collection.remove(id)) throw notFound();
    },
    'POST managed-keys/': async (request) => {
      const { entry, operation } = findEntry(request);
      try {
        if (operation === 'generate') await operations.generate(entry);
        else operations.store(entry, privateKey(request.body));
      } catch (error) {
        throw error instanceof KeyStoreError ? refusal(entry, error.message) : error;
      }
    },
  };
}

function showAll(stores: KeyStores): object {
  const lists = Object.entries(stores.collections()).map(([type, collections]) => [
    type,
    Object.fromEntries(Object.entries(collections).map(([name, collection]) => [name, collection.list()])),
  ]);
  return Object.fromEntries(lists) as object;
}

/** @param path `TYPE/COLLECTION`, followed by an id for a single object. */
function findCollection(
  stores: KeyStores,
  path: string,
): { collection: Collection; name: string; id: string | undefined } {
  const [type = '', name = '', id] = path.split('/');
  const known = managedKeyBackendOf(type)?.type;
  const collection = known && own<Collection>(stores.collections()[known], name);
  if (collection === undefined) throw notFound();
  return { collection, name, id };
}

async function add(collection: Collection, body: JsonObject): Promise<object> {
  const given = strictFields(collection.fields, body);
  try {
    return await collection.add(given);
  } catch (error) {
    throw error instanceof KeyStoreError ? invalidRequest(error.message) : error;
  }
}

/**
 * Returns the managed key of `TYPE/NAME/generate` or `TYPE/NAME/store`, in the namespace of the
 * query.
 */
function findEntry({ cluster, query, rest }: Controlled): {
  entry: ManagedKeyEntry;
  operation: 'generate' | 'store';
} {
  const [type, name = '', operation] = rest.split('/');
  const { namespace, path } = cluster.namespaces.resolve(query.get('namespace') ?? '', '');
  const entry = path === '' ? new ManagedKeyStore(cluster.storage).get(namespace, name) : undefined;
  if (entry === undefined || entry.type !== type) {
    throw new LogicalError(404, `no managed key named "${name}" of type "${type}" in this namespace`);
  }
  if (operation !== 'generate' && operation !== 'store') throw notFound();
  return { entry, operation };
}

function privateKey({ private_key: pem }: JsonObject): string {
  if (typeof pem !== 'string') throw invalidRequest('private_key: missing; allowed is a private key in PEM');
  return pem;
}
