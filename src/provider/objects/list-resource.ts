import type { Find } from '../../inventory';
import { nameField, normalizeNamespace, type ObjectDefinition, type ObjectIdentity } from '../../model';
import {
  bool,
  definitions,
  string,
  type AppliedConfig,
  type ConfiguredContext,
  type Listed,
  type ListResource,
  type SchemaOf,
} from '../../plugin';
import { matchesGlob } from '../../text';
import type { Clusters } from '../clusters';
import { onCluster } from './messages';
import { namespacesBelow } from './namespaces-below';
import type { Identification } from './identification';
import { request } from './request';
import { subjectOf } from './subject';
import type { AttributeValues } from './values';

const { listResource } = definitions<Clusters>();

/** The configuration that selects the objects of a list. */
const FILTERS = {
  cluster: string({
    optional: true,
    description: 'Name of the cluster to list the objects of. Default: all clusters.',
  }),
  name: string({
    optional: true,
    description: 'Name of the objects; `*` matches any characters, as in `team-*`. Default: all names.',
  }),
};

/** The configuration for objects that belong to a namespace. */
const NAMESPACE_FILTERS = {
  ...FILTERS,
  namespace: string({
    optional: true,
    description:
      "Namespace to list the objects of, relative to the namespace in the cluster's settings. Default: that namespace.",
  }),
  recursive: bool({
    optional: true,
    description: 'Whether to include all child namespaces. Default: `false`.',
  }),
};

type Filters = AppliedConfig<SchemaOf<typeof FILTERS>>;
type NamespaceFilters = AppliedConfig<SchemaOf<typeof NAMESPACE_FILTERS>>;

/** A kind of objects that can be listed without their names. */
interface FoundKind<I extends ObjectIdentity> {
  readonly definition: ObjectDefinition;
  readonly plural: { readonly title: string };
  readonly identification: Identification<I>;
  readonly find: Find;
}

/**
 * Returns the list resource of a kind of object. It covers all clusters or one cluster. For kinds
 * in namespaces, it covers one namespace, or also those below it.
 */
export function storedListResource<I extends ObjectIdentity>(kind: FoundKind<I>): ListResource<Clusters> {
  const { definition, plural } = kind;
  if (definition.clusterWide) {
    return listResource({
      name: definition.name,
      schema: { description: `Lists ${plural.title}.`, attributes: FILTERS },
      async *list({ config }, context) {
        for (const cluster of clustersOf(config, plural.title, context)) {
          yield* foundIn({ cluster, namespace: '' }, config, kind, context);
        }
      },
    });
  }
  return listResource({
    name: definition.name,
    schema: { description: `Lists ${plural.title}.`, attributes: NAMESPACE_FILTERS },
    async *list({ config }, context) {
      for (const cluster of clustersOf(config, plural.title, context)) {
        for await (const namespace of namespacesOf(cluster, config, kind.definition, context)) {
          yield* foundIn({ cluster, namespace }, config, kind, context);
        }
      }
    },
  });
}

/** Lists a role that each cluster has at most once, such as the primary. */
export function memberListResource(
  { name, title }: ObjectDefinition,
  /** Returns the identity of the cluster in this role; `undefined` if it has another role. */
  identityOf: (cluster: string, context: ConfiguredContext<Clusters>) => Promise<AttributeValues | undefined>,
): ListResource<Clusters> {
  const { cluster } = FILTERS;
  return listResource({
    name,
    schema: { description: `Lists every ${title}.`, attributes: { cluster } },
    async *list({ config }, context) {
      for (const cluster of clustersOf({ ...config, name: null }, title, context)) {
        const identity = await identityOf(cluster, context);
        if (identity)
          yield { identity, displayName: onCluster({ title, location: { cluster, namespace: '' } }) };
      }
    },
  });
}

function clustersOf(
  { cluster }: Filters,
  title: string,
  context: ConfiguredContext<Clusters>,
): readonly string[] {
  const all = context.providerData.knownNames(title, context);
  return cluster === null ? all : [context.providerData.knownNameOf(cluster, title, context)];
}

async function* namespacesOf(
  cluster: string,
  { namespace: given, recursive }: NamespaceFilters,
  definition: ObjectDefinition,
  context: ConfiguredContext<Clusters>,
): AsyncGenerator<string> {
  const namespace = normalizeNamespace(given);
  yield namespace;
  if (recursive) yield* namespacesBelow({ cluster, namespace }, definition, context);
}

async function* foundIn<I extends ObjectIdentity>(
  location: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
  { name }: Filters,
  { definition, plural, identification, find }: FoundKind<I>,
  context: ConfiguredContext<Clusters>,
): AsyncGenerator<Listed> {
  const subject = { definition, location, title: plural.title };
  const { data } = await request('list', subject, context, (client) =>
    find(client, { signal: context.signal }),
  );
  for (const found of data) {
    const values = { ...found, [nameField(definition)]: found.name, namespace: location.namespace };
    const identity = identification.identityOf(values, location.cluster);
    if (name !== null && !matchesGlob(name, identity.name)) continue;
    const title = onCluster(subjectOf(definition, identity));
    yield {
      identity: identification.identity.of(identification.locationOf(identity)),
      displayName:
        location.namespace === '' ? title : `${title}, namespace ${JSON.stringify(location.namespace)}`,
    };
  }
}
