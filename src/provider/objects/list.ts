import type { CallOptions, KeyList, VaultClient, VaultResponse } from '../../client';
import { normalizeNamespace, type ObjectDefinition } from '../../model';
import { definitions, list, types, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import { DATA_SOURCE_LOCATION } from './location';
import { request, type RequestContext } from './request';

const { dataSource } = definitions<Clusters>();

/** A kind of objects that can be listed. */
export interface ListedKind {
  readonly definition: ObjectDefinition;
  /** The name of the list as a type and in messages: `acl_policies`, `ACL policies`. */
  readonly plural: { readonly name: string; readonly title: string };
}

type ListCall<L extends KeyList> = (client: VaultClient, options: CallOptions) => Promise<VaultResponse<L>>;

/** The attributes of every list. */
export const LIST_ATTRIBUTES = {
  cluster: DATA_SOURCE_LOCATION.cluster,
  namespace: DATA_SOURCE_LOCATION.namespace,
  names: list(types.string, { computed: true, description: 'The names, sorted.' }),
};

/** Returns the data source of the names of all objects of a kind. */
export function listDataSource(kind: ListedKind, call: ListCall<KeyList>): DataSource<Clusters> {
  return dataSource({
    name: kind.plural.name,
    schema: { description: listDescription(kind), attributes: LIST_ATTRIBUTES },
    async read({ config }, context) {
      const { values } = await listObjects(kind, config, context, call);
      return values;
    },
  });
}

export function listDescription({ plural }: ListedKind): string {
  return `Lists the ${plural.title} of a namespace.`;
}

/**
 * Lists the objects of a kind.
 *
 * @returns the server's list, and the values of {@link LIST_ATTRIBUTES}
 * @throws DiagnosticError
 */
export async function listObjects<L extends KeyList>(
  { definition, plural: { title } }: ListedKind,
  { cluster: given, namespace }: { readonly cluster: string | null; readonly namespace: string | null },
  context: RequestContext,
  call: ListCall<L>,
) {
  const cluster = context.providerData.knownNameOf(given, title, context);
  const location = { cluster, namespace: normalizeNamespace(namespace) };
  const { data } = await request('list', { definition, location, title }, context, (client) =>
    call(client, { signal: context.signal }),
  );
  return { data, values: { cluster, namespace, names: [...data.keys].sort() } };
}
