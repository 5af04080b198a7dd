import type { CallOptions, KeyList, VaultClient, VaultResponse } from '../../client';
import { normalizeNamespace } from '../../model';
import { definitions, list, types, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import { dataSourceLocation, request, type RequestContext } from '../objects';
import type { PolicyKind } from './kind';

const { dataSource } = definitions<Clusters>();

/** What every list of policies has. */
export const listAttributes = {
  cluster: dataSourceLocation.cluster,
  namespace: dataSourceLocation.namespace,
  names: list(types.string, { computed: true, description: 'The names, sorted.' }),
};

/** The data source on the names of all policies of a kind. */
export function policyListDataSource(kind: PolicyKind): DataSource<Clusters> {
  return dataSource({
    name: kind.plural.name,
    schema: { description: listDescription(kind), attributes: listAttributes },
    async read({ config }, context) {
      const { values } = await listPolicies(kind, config, context, (client, options) =>
        kind.calls(client).list(options),
      );
      return values;
    },
  });
}

export function listDescription({ plural }: PolicyKind): string {
  return `Lists the ${plural.title} of a namespace.`;
}

/**
 * Lists the policies of a kind.
 *
 * @returns the server's list, and what it gives for {@link listAttributes}.
 * @throws DiagnosticError
 */
export async function listPolicies<L extends KeyList>(
  { definition, plural: { title } }: PolicyKind,
  { cluster: given, namespace }: { readonly cluster: string | null; readonly namespace: string | null },
  context: RequestContext,
  call: (client: VaultClient, options: CallOptions) => Promise<VaultResponse<L>>,
) {
  const cluster = context.provider.knownNameOf(given, title, context);
  const location = { cluster, namespace: normalizeNamespace(namespace) };
  const { data } = await request('list', { definition, location, title }, context, (client) =>
    call(client, { signal: context.signal }),
  );
  return { data, values: { cluster, namespace, names: [...data.keys].sort() } };
}
