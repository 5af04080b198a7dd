import { findNamespaces } from '../../../inventory';
import { NAMESPACE } from '../../../model';
import { adoptedKind } from './kind';
import { propsOf } from './props';

const TITLE = `${NAMESPACE.title}s`;

/** The namespaces directly below the namespaces that are read. */
export const NAMESPACES = adoptedKind({
  definition: NAMESPACE,
  title: TITLE,
  prefix: 'namespace',
  construct: 'Namespace',
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

  declare: ({ identity: { name }, fields }) => ({
    props: { path: name, ...propsOf(NAMESPACE.fields, fields) },
  }),
});
