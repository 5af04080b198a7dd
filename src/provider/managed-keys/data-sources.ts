import type { CallOptions, ManagedKey, ManagedKeyCalls } from '../../client';
import {
  MANAGED_KEY,
  managedKeyBackendOf,
  MANAGED_KEY_BACKENDS,
  normalizeNamespace,
  objectTitle,
  type Field,
  type ManagedKeyTypeName,
} from '../../model';
import { definitions, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import { LIST_ATTRIBUTES, listDescription, listObjects, nothingToRead, request, subjectOf } from '../objects';
import type { Values } from './backends';
import { keyLocationOf } from './identity';
import { dataSourceAttributes, keyListAttributes } from './schema';

const { dataSource } = definitions<Clusters>();

/** Interface section 4.1: the read of one key. */
export const managedKeyDataSource: DataSource<Clusters> = dataSource<typeof dataSourceAttributes>({
  name: MANAGED_KEY.name,
  schema: {
    description: `Reads one ${MANAGED_KEY.title}. Its secrets are not shown.`,
    attributes: dataSourceAttributes,
  },

  async read({ config }, context) {
    const { name, namespace } = config;
    const cluster = context.provider.knownNameOf(config.cluster, objectTitle(MANAGED_KEY, name), context);
    const subject = subjectOf(MANAGED_KEY, { cluster, namespace: normalizeNamespace(namespace), name });
    const type = managedKeyBackendOf(config.type ?? '')?.type;
    const options = { signal: context.signal };
    const stored = await request('read', subject, context, ({ managedKeys }) =>
      type ? managedKeys.read(type, name, options) : managedKeys.find(name, options),
    );
    if (!stored) throw nothingToRead(subject);
    const identity = { ...subject.location, name, type: stored.data.type };
    return { ...config, ...keyLocationOf(identity), ...shown(stored.data), name, namespace };
  },
});

function shown({ type, uuid, fields }: ManagedKey): Values {
  const held: Values = { ...fields };
  const blocks = Object.values(MANAGED_KEY_BACKENDS).map((backend) => [
    backend.type,
    backend.type === type ? shownFields(backend.fields, held) : null,
  ]);
  return {
    ...shownFields(MANAGED_KEY.fields, held),
    uuid: uuid ?? null,
    ...(Object.fromEntries(blocks) as Values),
  };
}

function shownFields(fields: Readonly<Record<string, Field>>, held: Values): Values {
  const entries = Object.entries(fields).filter(([, { sensitive }]) => !sensitive);
  return Object.fromEntries(entries.map(([name, field]) => [name, held[name] ?? field.default ?? null]));
}

const listedKeys = {
  definition: MANAGED_KEY,
  plural: { name: 'managed_keys', title: `${MANAGED_KEY.title}s` },
};

/** Interface section 4.1: the list of a type, or of all of them. */
export const managedKeysDataSource: DataSource<Clusters> = dataSource({
  name: listedKeys.plural.name,
  schema: {
    description: listDescription(listedKeys),
    attributes: { ...LIST_ATTRIBUTES, ...keyListAttributes },
  },

  async read({ config }, context) {
    const { type } = config;
    const { data, values } = await listObjects(listedKeys, config, context, ({ managedKeys }, options) =>
      namesByType(managedKeys, managedKeyBackendOf(type ?? '')?.type, options),
    );
    const types = Object.entries(data.byType).flatMap(([of, names]) => names.map((name) => [name, of]));
    return { ...values, type, types: Object.fromEntries(types) as Record<string, string> };
  },
});

async function namesByType(
  calls: ManagedKeyCalls,
  type: ManagedKeyTypeName | undefined,
  options: CallOptions,
) {
  if (type) {
    const response = await calls.list(type, options);
    return { ...response, data: { ...response.data, byType: { [type]: response.data.keys } } };
  }
  const response = await calls.listAll(options);
  return { ...response, data: { keys: Object.values(response.data).flat(), byType: response.data } };
}
