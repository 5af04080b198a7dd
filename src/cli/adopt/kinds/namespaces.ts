import { findNamespaces } from '../../../inventory';
import type { StoredNamespace } from '../../../client';
import { formatImportId, NAMESPACE, type ObjectIdentity } from '../../../model';
import { CodeExpression } from '../app/code';
import { resourceType, type Declaration, type Naming, type ResourceAddress } from '../app/declaration';
import { slug } from '../app/names';
import { fieldArguments, placeArguments } from '../hcl/arguments';
import { adoptedKind } from './kind';
import { propsOf } from './props';

interface FoundNamespace {
  readonly identity: ObjectIdentity;
  readonly fields: Pick<StoredNamespace, 'custom_metadata'>;
}

const TITLE = `${NAMESPACE.title}s`;

/** The namespaces directly below those that are read. */
export const NAMESPACES = adoptedKind<FoundNamespace>({
  title: TITLE,
  fromPrimary: true,

  async read(place) {
    const { cluster, namespace, client } = place;
    const found = await place.readAll(TITLE, NAMESPACE, findNamespaces, async ({ name }) => {
      const response = await client.namespaces.read(name);
      return response && { ...response, data: { ...response.data, name } };
    });
    return found.map(({ name, custom_metadata }) => ({
      identity: { cluster, namespace, name },
      fields: { custom_metadata },
    }));
  },

  declarable: ({ identity: { name }, fields }) => ({
    definition: NAMESPACE,
    values: { ...fields, path: name, name },
  }),

  addressOf,

  parts(found, naming) {
    return [{ title: TITLE, declarations: found.map((each) => declare(each, naming)) }];
  },
});

function addressOf({ identity }: FoundNamespace): ResourceAddress {
  return { resource: resourceType(NAMESPACE), importId: formatImportId(identity) };
}

function declare(found: FoundNamespace, { ids }: Naming): Declaration {
  const { identity, fields } = found;
  const { cluster, namespace, name } = identity;
  return {
    id: ids.take(slug('namespace', namespace, name)),
    construct: 'Namespace',
    props: {
      cluster: CodeExpression.local('cluster'),
      namespace: namespace || undefined,
      path: name,
      ...propsOf(NAMESPACE.fields, fields),
    },
    arguments: { ...placeArguments(NAMESPACE, identity), ...fieldArguments(NAMESPACE.fields, fields) },
    ...addressOf(found),
    write: { cluster, namespace, path: `${NAMESPACE.path}/${name}`, body: { ...fields }, secrets: [] },
  };
}
