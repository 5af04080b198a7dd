import { AUTO_SNAPSHOT } from '../../model';
import { singleNested, string, type attribute, type Attributes, type Blocks } from '../../plugin';
import {
  dataSourceFields,
  DATA_SOURCE_LOCATION,
  resourceBlock,
  resourceFields,
  RESOURCE_LOCATION,
} from '../objects';
import { STORAGE_TYPES } from './values';

/** The fields of every configuration but the storage type, which its block says. */
export const COMMON_FIELDS = Object.fromEntries(
  Object.entries(AUTO_SNAPSHOT.fields).filter(([name]) => name !== 'storage_type'),
);

type Text = ReturnType<typeof attribute<string, true>>;
type ReadText = ReturnType<typeof attribute<string, false, true>>;

/** The common attributes of a resource. The type leaves out those that no code names. */
export const resourceAttributes = {
  ...RESOURCE_LOCATION,
  ...(resourceFields({ fields: COMMON_FIELDS }) as { readonly name: Text; readonly interval: Text }),
  storage_type: string({ computed: true, description: 'The storage type of the block that is given.' }),
};

/** One block a storage type, of which one is given. */
export const resourceBlocks: Blocks = Object.fromEntries(
  STORAGE_TYPES.map((type) => [type.block, resourceBlock(type)]),
);

/** What a data source has: each storage type as an attribute of which one is set. Secrets are not among it. */
export const dataSourceAttributes = {
  ...DATA_SOURCE_LOCATION,
  ...(dataSourceFields(AUTO_SNAPSHOT) as {
    readonly name: Text;
    readonly interval: ReadText;
    readonly storage_type: ReadText;
  }),
  ...storageAttributes(),
};

function storageAttributes(): Attributes {
  return Object.fromEntries(
    STORAGE_TYPES.map((type) => [
      type.block,
      singleNested(dataSourceFields(type), { computed: true, description: type.doc }),
    ]),
  );
}
