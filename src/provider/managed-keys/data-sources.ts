import type { CallOptions, ManagedKeyCalls } from '../../client';
import { findManagedKeys } from '../../inventory';
import {
  MANAGED_KEY,
  MANAGED_KEY_TYPES,
  managedKeyBackendOf,
  normalizeNamespace,
  objectTitle,
  type ManagedKeyTypeName,
} from '../../model';
import { definitions, map, oneOf, string, types, type Attributes, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import {
  backedShown,
  backedShownAttributes,
  DATA_SOURCE_LOCATION,
  LIST_ATTRIBUTES,
  listDescription,
  listObjects,
  nothingToRead,
  request,
  storedListResource,
  subjectOf,
  textIn,
} from '../objects';
import { KEY_ID, KEY_IDENTIFICATION } from './key-identification';
import { KEY_UUID } from './managed-key-resource';
import { storedFieldsOf } from './stored-key';

const { dataSource } = definitions<Clusters>();

const TYPES = MANAGED_KEY_TYPES.map((type) => `\`${type}\``).join(', ');

/** The data source of one key. The name alone suffices to find it. */
export const MANAGED_KEY_DATA_SOURCE: DataSource<Clusters> = dataSource<Attributes>({
  name: MANAGED_KEY.name,
  schema: {
    description: `Reads one ${MANAGED_KEY.title}. Its secrets are not shown.`,
    attributes: {
      ...DATA_SOURCE_LOCATION,
      ...backedShownAttributes(MANAGED_KEY),
      id: KEY_ID,
      type: string({
        optional: true,
        computed: true,
        validators: [oneOf(...MANAGED_KEY_TYPES)],
        description: `Backend of the key: ${TYPES}. Default: the key named \`name\`, whatever its backend.`,
      }),
      uuid: KEY_UUID,
    },
  },

  async read({ config }, context) {
    const { namespace } = config;
    const name = textIn(config, 'name') ?? '';
    const title = objectTitle(MANAGED_KEY, name);
    const cluster = context.providerData.knownNameOf(textIn(config, 'cluster'), title, context);
    const location = { cluster, namespace: normalizeNamespace(textIn(config, 'namespace')), name };
    const subject = subjectOf(MANAGED_KEY, location);
    const type = managedKeyBackendOf(textIn(config, 'type') ?? '')?.type;
    const options = { signal: context.signal };
    const stored = await request('read', subject, context, ({ managedKeys }) =>
      type ? managedKeys.read(type, name, options) : managedKeys.find(name, options),
    );
    if (!stored) throw nothingToRead(subject);
    return {
      ...config,
      ...KEY_IDENTIFICATION.locationOf({ ...location, type: stored.data.type }),
      ...backedShown(MANAGED_KEY, storedFieldsOf(stored.data)),
      uuid: stored.data.uuid ?? null,
      namespace,
    };
  },
});

const LISTED_KEYS = {
  definition: MANAGED_KEY,
  plural: { name: 'managed_keys', title: `${MANAGED_KEY.title}s` },
};

/** The data source of the names of the keys of one backend, or of all backends. */
export const MANAGED_KEYS_DATA_SOURCE: DataSource<Clusters> = dataSource({
  name: LISTED_KEYS.plural.name,
  schema: {
    description: listDescription(LISTED_KEYS),
    attributes: {
      ...LIST_ATTRIBUTES,
      type: string({
        optional: true,
        validators: [oneOf(...MANAGED_KEY_TYPES)],
        description: `Backend of the keys: ${TYPES}. Default: all that the server supports.`,
      }),
      types: map(types.string, { computed: true, description: 'The backend of each key by its name.' }),
    },
  },

  async read({ config }, context) {
    const { type } = config;
    const { data, values } = await listObjects(LISTED_KEYS, config, context, ({ managedKeys }, options) =>
      namesByType(managedKeys, managedKeyBackendOf(type ?? '')?.type, options),
    );
    const backends = Object.entries(data.byType).flatMap(([of, names]) =>
      names.map((name) => [name, of] as const),
    );
    return { ...values, type, types: Object.fromEntries(backends) };
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

/** Lists the keys of all backends that the server supports. */
export const MANAGED_KEYS_LIST = storedListResource({
  ...LISTED_KEYS,
  identification: KEY_IDENTIFICATION,
  find: findManagedKeys,
});
