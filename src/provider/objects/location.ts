import { normalizeNamespace } from '../../model';
import { requiresReplaceIf, string } from '../../plugin';

const ID = 'The import id in its full form: `cluster/namespace//name`.';
export const CLUSTER_DESCRIPTION =
  "Name of the cluster, as in `clusters` of the provider's configuration. Optional if there is only one.";
export const NAMESPACE_DESCRIPTION =
  "Namespace, relative to the one in the cluster's settings, such as `team/project`. Default: that one itself.";

/**
 * The location of an object in a data source. Every data source has these attributes besides the
 * fields of its object.
 */
export const DATA_SOURCE_LOCATION = {
  id: string({ computed: true, description: ID }),
  cluster: string({ optional: true, computed: true, description: CLUSTER_DESCRIPTION }),
  namespace: string({ optional: true, description: NAMESPACE_DESCRIPTION }),
};

/** The cluster of an action. */
export const ACTION_ON_CLUSTER = { cluster: string({ optional: true, description: CLUSTER_DESCRIPTION }) };
/** The location of an action in a namespace. */
export const ACTION_LOCATION = {
  ...ACTION_ON_CLUSTER,
  namespace: string({ optional: true, description: NAMESPACE_DESCRIPTION }),
};

/**
 * The location of an object in a resource. Every resource has these attributes besides the fields
 * of its object.
 */
export const RESOURCE_LOCATION = {
  ...DATA_SOURCE_LOCATION,
  namespace: string({
    optional: true,
    description: NAMESPACE_DESCRIPTION,
    sameMeaning: sameNamespace,
    // An empty namespace and a missing one are different values for the same namespace.
    planModifiers: [requiresReplaceIf(({ plan, state }) => !sameNamespace(plan, state))],
  }),
};

/** Whether two values are the same namespace: slashes at the ends have no meaning. */
function sameNamespace(a: unknown, b: unknown): boolean {
  return a === b || (isText(a) && isText(b) && normalizeNamespace(a) === normalizeNamespace(b));
}

function isText(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}
