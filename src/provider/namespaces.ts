import type { NamespaceFields, StoredNamespace } from '../client';
import { findNamespaces } from '../inventory';
import { NAMESPACE, NAMESPACE_SETTINGS, normalizeNamespace, type ObjectIdentity } from '../model';
import { KINDS_IN_NAMESPACES } from '../model/access';
import { phrase } from '../model/messages';
import { isKnown, string, UNKNOWN, type Attributes } from '../plugin';
import { trimmedEnd } from '../text';
import { MessageError, report, type LocatedMessage } from './messages';
import {
  callsOn,
  dataSourceFields,
  listDataSource,
  onCluster,
  identificationOf,
  request,
  resourceFields,
  storedDataSource,
  storedListResource,
  storedResource,
  textIn,
  type AttributeValues,
  type ListedKind,
  type ObjectsOfProvider,
  type ResourceKind,
} from './objects';
import { heldData } from './replication/shared/held-data';

/**
 * The most names in the message about a namespace that is not empty. The message counts the others.
 */
const SHOWN = 10;

const COMPUTED: Attributes = {
  path_fq: string({
    computed: true,
    description:
      "Path of the namespace from the namespace in the cluster's settings: the value for the argument `namespace` of what is created in it.",
  }),
  namespace_id: string({ computed: true, description: 'The id that the server gave the namespace.' }),
};

const KIND: ListedKind & ResourceKind<StoredNamespace, NamespaceFields> = {
  definition: NAMESPACE,
  plural: { name: 'namespaces', title: 'namespaces' },
  identification: identificationOf(NAMESPACE),
  calls: ({ namespaces }, { name }) => callsOn(namespaces, name),
  list: ({ namespaces }, options) => namespaces.list(options),
  attributes: {
    ...resourceFields(NAMESPACE),
    ...resourceFields({ fields: NAMESPACE_SETTINGS }),
    ...COMPUTED,
  },

  movedFrom: {
    vault_namespace: ({ namespace, path }) => ({
      namespace: namespace ?? null,
      path: trimmedEnd(String(path), '/'),
    }),
  },

  toRequest: ({ plan }) => ({ custom_metadata: metadataIn(plan) }),
  toState: ({ custom_metadata, namespace_id }, prior) => ({
    custom_metadata,
    namespace_id,
    path_fq: pathOf(prior),
    force_destroy: prior.force_destroy ?? NAMESPACE_SETTINGS.force_destroy.default,
  }),

  computed: (plan) => ({
    path_fq: isKnown(plan.namespace) && isKnown(plan.path) ? pathOf(plan) : UNKNOWN,
  }),
  plan: ({ state, plan }) => ({
    ...plan,
    namespace_id: state !== null && plan.id === state.id ? state.namespace_id : UNKNOWN,
  }),
  planDestroy(state, { diagnostics }) {
    if (state.force_destroy === true) report(diagnostics, 'warning', deletedWithContent(titleIn(state)));
  },

  async update({ identity, subject }, { plan, state }, context) {
    const removed = Object.keys(metadataIn(state)).map((name) => [name, null] as const);
    const metadata = { ...Object.fromEntries(removed), ...metadataIn(plan) };
    const isChanged = JSON.stringify(metadata) !== JSON.stringify(metadataIn(state));
    if (!isChanged) return;
    await request('update', subject, context, ({ namespaces }) =>
      namespaces.patch(identity.name, metadata, { signal: context.signal }),
    );
  },

  async afterWrite(object, { plan }) {
    return { ...plan, namespace_id: (await object.read())?.namespace_id ?? '' };
  },

  async delete(object, state, context) {
    const { subject, identity } = object;
    // If the namespace no longer exists, its content need not be read.
    if (state.force_destroy !== true && (await object.read()) !== undefined) {
      const within = { ...subject, location: locationWithin(identity) };
      const { data: content } = await request('look into', within, context, async (client) => ({
        data: await heldData(client, { signal: context.signal }, KINDS_IN_NAMESPACES),
        warnings: [],
      }));
      if (content.length > 0) throw new MessageError(notEmpty(onCluster(subject), content));
    }
    await object.delete();
  },
};

function metadataIn(values: AttributeValues): Readonly<Record<string, string>> {
  // The schema guarantees a map of texts.
  return { ...(values.custom_metadata as Readonly<Record<string, string>> | null | undefined) };
}

function pathOf(values: AttributeValues): string {
  return normalizeNamespace(`${textIn(values, 'namespace') ?? ''}/${textIn(values, 'path') ?? ''}`);
}

function titleIn(state: AttributeValues): string {
  return `${NAMESPACE.title} ${JSON.stringify(pathOf(state))}`;
}

function locationWithin({ cluster, namespace, name }: ObjectIdentity) {
  return { cluster, namespace: normalizeNamespace(`${namespace}/${name}`) };
}

function notEmpty(title: string, content: readonly string[]): LocatedMessage {
  const more = content.length - SHOWN;
  return {
    summary: `cannot delete ${title}: it is not empty`,
    details: [
      'Its content, which would be deleted as well:',
      ...content.slice(0, SHOWN).map((each) => `- ${each}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    claims: ['nothing-changed'],
    cures: phrase`delete its content, or apply with force_destroy = true before you destroy it`,
  };
}

function deletedWithContent(title: string): LocatedMessage {
  return {
    summary: `${title} will be deleted with everything in it`,
    details: phrase`force_destroy is true: its secrets engines and their secrets, auth methods, policies, keys and
      identities are lost.`,
  };
}

/** The provider's resources for namespaces: `/sys/namespaces`. */
export const NAMESPACES: ObjectsOfProvider = {
  resources: [storedResource(KIND)],
  listResources: [storedListResource({ ...KIND, find: findNamespaces })],
  dataSources: [
    storedDataSource({
      ...KIND,
      shownAttributes: { ...dataSourceFields(NAMESPACE), namespace_id: COMPUTED.namespace_id! },
      toShown: ({ custom_metadata, namespace_id }) => ({ custom_metadata, namespace_id }),
    }),
    listDataSource(KIND, ({ namespaces }, options) => namespaces.list(options)),
  ],
};
