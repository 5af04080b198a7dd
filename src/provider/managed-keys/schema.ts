import {
  MANAGED_KEY,
  MANAGED_KEY_TYPES,
  MANAGED_KEY_BACKENDS,
  type ManagedKeyBackend,
  type ManagedKeyTypeName,
} from '../../model';
import { map, oneOf, singleNested, string, types, type attribute } from '../../plugin';
import {
  dataSourceFields,
  DATA_SOURCE_LOCATION,
  resourceBlock,
  resourceFields,
  resourceIdentity,
  RESOURCE_LOCATION,
} from '../objects';
import { testSignBlock } from './test-sign';

const ID = 'The import id in its full form: `cluster/namespace//type/name`.';
const UUID =
  'Id that the server gave the key. It stays over updates; a key that was deleted and made again has another one.';
const TYPES = MANAGED_KEY_TYPES.map((type) => `\`${type}\``).join(', ');

type Text = ReturnType<typeof attribute<string, true>>;
type Backends<T> = Readonly<Record<ManagedKeyTypeName, T>>;

/** The common attributes of a resource. The type leaves out those that no code names. */
export const resourceAttributes = {
  ...RESOURCE_LOCATION,
  id: string({ computed: true, description: ID }),
  ...(resourceFields(MANAGED_KEY) as { readonly name: Text }),
  type: string({ computed: true, description: 'The backend whose block is given.' }),
  uuid: string({ computed: true, description: UUID }),
};

/** One block a backend, of which one is given, and the one of the test signature. */
export const resourceBlocks = { ...forBackends(resourceBlock), test_sign: testSignBlock };

/** What Terraform 1.12 and later keeps beside the state. */
export const managedKeyIdentity = {
  attributes: {
    ...resourceIdentity.attributes,
    type: { type: types.string, description: `Backend of the key: ${TYPES}.`, requiredForImport: false },
  },
  of: (state: Parameters<typeof resourceIdentity.of>[0] & { readonly type: string | null }) => ({
    ...resourceIdentity.of(state),
    type: state.type,
  }),
};

/** What a list has beside its names. */
export const keyListAttributes = {
  type: string({
    optional: true,
    validators: [oneOf(...MANAGED_KEY_TYPES)],
    description: `Backend of the keys: ${TYPES}. Left out: all that the server supports.`,
  }),
  types: map(types.string, { computed: true, description: 'The backend of each key by its name.' }),
};

/** What a data source has: each backend as an attribute of which one is set. Secrets are not among it. */
export const dataSourceAttributes = {
  ...DATA_SOURCE_LOCATION,
  id: string({ computed: true, description: ID }),
  ...(dataSourceFields(MANAGED_KEY) as { readonly name: Text }),
  type: string({
    optional: true,
    computed: true,
    validators: [oneOf(...MANAGED_KEY_TYPES)],
    description: `Backend of the key: ${TYPES}. Left out: the key of that name, whatever its backend.`,
  }),
  uuid: string({ computed: true, description: UUID }),
  ...forBackends(({ doc, fields }) =>
    singleNested(dataSourceFields({ fields }), { computed: true, description: doc }),
  ),
};

function forBackends<T>(make: (backend: ManagedKeyBackend) => T): Backends<T> {
  const made = Object.values(MANAGED_KEY_BACKENDS).map((backend) => [backend.type, make(backend)]);
  return Object.fromEntries(made) as Backends<T>;
}
