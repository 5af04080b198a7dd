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

/** Fields of the model that stand together. */
type FieldsOf = Pick<ObjectDefinition, 'fields' | 'immutable'>;

/**
 * The attributes of a resource that the model's fields make, with what the server assumes as their
 * defaults.
 */
export function resourceFields({ fields, immutable }: FieldsOf): Attributes {
  return Object.assign(
    {},
    ...Object.entries(fields).map(([name, field]) =>
      field.sensitive ? secretAttributes(name, field) : { [name]: resourceAttribute(field, immutable) },
    ),
  ) as Attributes;
}

/** A single block of a resource that the model's fields make. */
export function resourceBlock({ doc, fields, immutable }: FieldsOf & Pick<ObjectDefinition, 'doc'>): Block {
  return singleBlock({ description: doc, attributes: resourceFields({ fields, immutable }) });
}

/**
 * The attributes of a data source that the model's fields make: what identifies the object is
 * given, the rest is read. Secrets are not among them: nothing that is read back of them goes into
 * a state.
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
