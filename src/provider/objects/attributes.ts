import { sameMeaning, type Field, type Fields, type ObjectDefinition } from '../../model';
import {
  attribute,
  isKnown,
  requiresReplace,
  singleBlock,
  string,
  UNKNOWN,
  type Attribute,
  type Attributes,
  type Block,
} from '../../plugin';
import { describeField, describeReadField, TYPES } from '../fields';
import { secretAttributes } from './secrets';
import type { AttributeValues } from './values';

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
      field.sensitive
        ? secretAttributes(name, field)
        : { [name]: resourceAttribute(field, immutable), ...nameAttribute(name, field) },
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
    shown.flatMap(([name, field]) => {
      const { identity = false } = field;
      const presence = { required: identity, computed: !identity };
      const description = identity ? describeField(field) : describeReadField(field);
      const read: Attribute = attribute(TYPES[field.type], { ...presence, description });
      return [[name, read], ...Object.entries(nameAttribute(name, field))];
    }),
  );
}

/**
 * Returns the attributes with the names of numeric values, such as `mechanism_name`. The attribute
 * is null if the number has no name, and unknown if the number is unknown.
 */
export function namesOfValues(fields: Fields, values: AttributeValues): AttributeValues {
  const named = Object.entries(fields).flatMap(([name, { valueName }]) => {
    if (!valueName) return [];
    const value = values[name];
    return [[nameOf(name), isKnown(value) ? (valueName(value) ?? null) : UNKNOWN] as const];
  });
  return Object.fromEntries(named);
}

/** Returns the attribute for the name of a field's value; empty if its values have no names. */
function nameAttribute(name: string, { valueName }: Field): Attributes {
  const description = `Name of \`${name}\`, if it is a standard one.`;
  return valueName ? { [nameOf(name)]: string({ computed: true, description }) } : {};
}

function nameOf(field: string): string {
  return `${field}_name`;
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
