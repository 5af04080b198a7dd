import {
  formatImportId,
  nameField,
  normalizeNamespace,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../model';
import { types, type Attributes, type Identity, type ImportRequest, type Schema } from '../../plugin';
import { importedObject } from './import';
import { CLUSTER_DESCRIPTION, NAMESPACE_DESCRIPTION, RESOURCE_LOCATION } from './location';
import type { RequestContext } from './request';
import { textIn, type AttributeValues } from './values';

/** How a state, a plan and an import distinguish the objects of a kind. */
export interface Identification<I extends ObjectIdentity = ObjectIdentity> {
  /**
   * The attributes of a resource that are not fields of the object: its id, its cluster and its
   * namespace.
   */
  readonly attributes: Attributes;
  /** The identity that Terraform 1.12 and later stores beside the state. */
  readonly identity: Identity<Schema>;
  /** The attributes, besides the cluster, whose change replaces the object. */
  readonly keys: readonly string[];
  /** Returns the identity of the object with known values. */
  identityOf(values: AttributeValues, cluster: string): I;
  /** Returns the attributes in the state that locate an object. */
  locationOf(identity: I): AttributeValues & { readonly id: string };
  /**
   * Returns the identity of the object to import.
   *
   * @throws DiagnosticError
   */
  toImport(request: ImportRequest, context: RequestContext): I | Promise<I>;
}

/**
 * Returns the identification of objects by the field that is part of their path, in a namespace if
 * they belong to one.
 */
export function identificationOf(definition: ObjectDefinition): Identification {
  const { fields, clusterWide = false } = definition;
  const name = nameField(definition);
  const { id, cluster, namespace } = RESOURCE_LOCATION;
  const form = `${clusterWide ? 'cluster' : 'cluster/namespace'}//${name}`;
  const ofNamespace = { type: types.string, description: NAMESPACE_DESCRIPTION, requiredForImport: false };

  return {
    attributes: {
      id: { ...id, options: { ...id.options, description: `The import id in its full form: \`${form}\`.` } },
      cluster,
      ...(!clusterWide && { namespace }),
    },
    identity: {
      attributes: {
        cluster: { type: types.string, description: CLUSTER_DESCRIPTION, requiredForImport: false },
        ...(!clusterWide && { namespace: ofNamespace }),
        [name]: { type: types.string, description: fields[name]?.doc ?? '', requiredForImport: true },
      },
      of: (state) => ({
        cluster: state.cluster,
        ...(!clusterWide && { namespace: normalizeNamespace(textIn(state, 'namespace')) || null }),
        [name]: state[name],
      }),
    },
    keys: clusterWide ? [name] : ['namespace', name],
    identityOf: (values, onCluster) => ({
      cluster: onCluster,
      namespace: normalizeNamespace(textIn(values, 'namespace')),
      name: textIn(values, name) ?? '',
    }),
    locationOf: (identity) => ({
      id: formatImportId(identity),
      cluster: identity.cluster,
      ...(!clusterWide && { namespace: identity.namespace || null }),
      [name]: identity.name,
    }),
    toImport: (request, context) => importedObject(request, definition, context),
  };
}
