import { normalizeNamespace } from '../../model';
import { requiresReplaceIf, string } from '../../plugin';

const ID = 'The import id in its full form: `cluster/namespace//name`.';
export const CLUSTER =
  "Name of the cluster, as in `clusters` of the provider's configuration. Optional if there is only one.";
export const NAMESPACE =
  "Namespace, relative to the one in the cluster's settings, such as `team/project`. Default: that one itself.";

/**
 * Where an object is: what every data source on one object has beside the fields of that object.
 */
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
