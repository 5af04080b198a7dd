import { sameMeaning, type Field, type ObjectDefinition } from '../../model';
import {
  attribute,
  requiresReplace,
  singleBlock,
  type Attribute,
  type Attributes,
  type Block,
} from '../../plugin';
import { describeField, describeReadField, TYPES } from '../fields';
import { secretAttributes } from './secrets';

/** A group of fields of the model. */
type FieldsOf = Pick<ObjectDefinition, 'fields' | 'immutable'>;

/**
 * Returns the attributes of a resource for fields of the model. Their defaults are those of the
 * server.
 */
export function resourceFields({ fields, immutable }: FieldsOf): Attributes {
  return Object.assign(
    {},
    ...Object.entries(fields).map(([name, field]) =>
      field.sensitive ? secretAttributes(name, field) : { [name]: resourceAttribute(field, immutable) },
    ),
  ) as Attributes;
}

/** Returns the single block of a resource for fields of the model. */
export function resourceBlock({ doc, fields, immutable }: FieldsOf & Pick<ObjectDefinition, 'doc'>): Block {
  return singleBlock({ description: doc, attributes: resourceFields({ fields, immutable }) });
}

/**
 * Returns the attributes of a data source for fields of the model: the identifying fields are
 * arguments, and the others are read. Secrets are left out, because a state must not contain
 * secrets that were read.
 */
export function dataSourceFields({ fields }: FieldsOf): Attributes {
  const shown = Object.entries(fields).filter(([, { sensitive }]) => !sensitive);
  return Object.fromEntries(
    shown.map(([name, field]) => {
      const { identity = false } = field;
      const presence = { required: identity, computed: !identity };
      const description = identity ? describeField(field) : describeReadField(field);
      return [name, attribute(TYPES[field.type], { ...presence, description })];
    }),
  );
}

function resourceAttribute(field: Field, immutable = false): Attribute {
  const { required = false, identity = false, default: fallback } = field;
  return attribute(TYPES[field.type], {
    required,
    optional: !required,
    default: fallback,
    planModifiers: identity || immutable ? [requiresReplace()] : [],
    sameMeaning: (one, other) => sameMeaning(field, one, other),
    description: describeField(field),
  });
}
