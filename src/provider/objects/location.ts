import { formatImportId, normalizeNamespace, type ObjectIdentity } from '../../model';
import { requiresReplaceIf, string, types } from '../../plugin';

const ID = 'The import id in its full form: `cluster/namespace//name`.';
export const CLUSTER =
  "Name of the cluster, as in `clusters` of the provider's configuration. Optional if there is only one.";
export const NAMESPACE =
  "Namespace, relative to the one in the cluster's settings, such as `team/project`. Default: that one itself.";

/** Where an object is: what every data source on one object has beside the fields of that object. */
export const DATA_SOURCE_LOCATION = {
  id: string({ computed: true, description: ID }),
  cluster: string({ optional: true, computed: true, description: CLUSTER }),
  namespace: string({ optional: true, description: NAMESPACE }),
};

/** Where an object is: what every resource has beside the fields of its object. */
export const RESOURCE_LOCATION = {
  ...DATA_SOURCE_LOCATION,
  namespace: string({
    optional: true,
    description: NAMESPACE,
    sameMeaning: sameNamespace,
    // Empty and left out are different values, but the same namespace.
    planModifiers: [requiresReplaceIf(({ plan, state }) => !sameNamespace(plan, state))],
  }),
};

/** Slashes around a namespace do not count. */
function sameNamespace(a: unknown, b: unknown): boolean {
  return a === b || (isText(a) && isText(b) && normalizeNamespace(a) === normalizeNamespace(b));
}

function isText(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}

/** What Terraform 1.12 and later keeps beside the state: where the object is, by parts. */
export const resourceIdentity = {
  attributes: {
    cluster: { type: types.string, description: CLUSTER, requiredForImport: false },
    namespace: { type: types.string, description: NAMESPACE, requiredForImport: false },
    name: { type: types.string, description: 'Name of the object.', requiredForImport: true },
  },
  of: ({ cluster, namespace, name }: Location) => ({
    cluster,
    namespace: normalizeNamespace(namespace) || null,
    name,
  }),
};

/** The part of a state that says where the object is. */
export interface Location {
  readonly id: string | null;
  readonly cluster: string | null;
  readonly namespace: string | null;
  readonly name: string;
}

/** The object that a state is about. */
export function identityOf({ cluster, namespace, name }: Omit<Location, 'id'>): ObjectIdentity {
  if (cluster === null) throw new Error('a state always names the cluster');
  return { cluster, namespace: normalizeNamespace(namespace), name };
}

/** What the state of an object says of where it is. */
export function locationOf(identity: ObjectIdentity): Location & { id: string; cluster: string } {
  const { cluster, namespace, name } = identity;
  return { id: formatImportId(identity), cluster, namespace: namespace || null, name };
}
