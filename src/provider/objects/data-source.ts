import type { ObjectIdentity } from '../../model';
import { definitions, type Attributes, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import { dataSourceFields } from './attributes';
import { DATA_SOURCE_LOCATION } from './location';
import { nothingToRead } from './messages';
import { storedObject, type StoredKind } from './stored-object';
import { fieldsIn, textIn, titleIn, valuesOf, type AttributeValues } from './values';

/** A kind of object that can be read without being managed. */
interface ReadableKind<Stored extends object> extends StoredKind<Stored, never> {
  /**
   * The noun for the read object, to follow `Reads one`. By default the title of the definition.
   */
  readonly singular?: string;
  /**
   * The attributes besides those of the location. Default: the attributes for the fields of the
   * definition.
   */
  readonly shownAttributes?: Attributes;
  /** The values of the attributes. Default: the fields of the definition. */
  toShown?(stored: Stored): AttributeValues;
}

/** Returns the data source of one object of a kind. */
export function storedDataSource<Stored extends object>(kind: ReadableKind<Stored>): DataSource<Clusters> {
  const { definition, identification, singular = definition.title } = kind;
  const hidesSecrets = kind.shownAttributes ? ' Its secrets are not shown.' : '';

  return definitions<Clusters>().dataSource<Attributes>({
    name: definition.name,
    schema: {
      description: `Reads one ${singular}.${hidesSecrets}`,
      attributes: { ...DATA_SOURCE_LOCATION, ...(kind.shownAttributes ?? dataSourceFields(definition)) },
    },

    async read({ config }, context) {
      const title = titleIn(definition, config);
      const cluster = context.providerData.knownNameOf(textIn(config, 'cluster'), title, context);
      const identity: ObjectIdentity = identification.identityOf(config, cluster);
      const object = storedObject(kind, identity, context);
      const stored = await object.read();
      if (!stored) throw nothingToRead(object.subject);
      const shown = kind.toShown ? kind.toShown(stored) : fieldsIn(definition, valuesOf(stored));
      return { ...config, ...identification.locationOf(identity), ...shown, namespace: config.namespace };
    },
  });
}
