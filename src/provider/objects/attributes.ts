import type { Field, FieldType, ObjectDefinition } from '../../model';
import {
  attribute,
  requiresReplace,
  types,
  type Attributes,
  type PlanModifier,
  type Type,
} from '../../plugin';

const TYPES: Readonly<Record<FieldType, Type>> = {
  string: types.string,
  duration: types.string,
  integer: types.integer,
  boolean: types.bool,
  string_set: types.set(types.string),
};

/** The attributes of a resource that the model's fields make. */
export function resourceFields(definition: ObjectDefinition): Attributes {
  return fieldAttributes(definition, ({ required = false, identity = false }) => ({
    required,
    optional: !required,
    computed: false,
    planModifiers: identity ? [requiresReplace()] : [],
  }));
}

/** The attributes of a data source that the model's fields make: what identifies the object is given, the rest is read. */
export function dataSourceFields(definition: ObjectDefinition): Attributes {
  return fieldAttributes(definition, ({ identity = false }) => ({ required: identity, computed: !identity }));
}

interface Presence {
  readonly required: boolean;
  readonly optional?: boolean;
  readonly computed: boolean;
  readonly planModifiers?: readonly PlanModifier[];
}

function fieldAttributes(definition: ObjectDefinition, presenceOf: (field: Field) => Presence): Attributes {
  return Object.fromEntries(
    Object.entries(definition.fields).map(([name, field]) => [
      name,
      attribute(TYPES[field.type], {
        ...presenceOf(field),
        sensitive: field.sensitive ?? false,
        description: describe(field),
      }),
    ]),
  );
}

/** The model's words, and what else it says of the field. */
function describe({ doc, allowed, default: fallback }: Field): string {
  const listed = allowed?.every((value) => doc.includes(`\`${value}\``));
  const choice = allowed && !listed && `Allowed: ${allowed.map((value) => `\`${value}\``).join(', ')}.`;
  const leftOut = fallback !== undefined && `Default: \`${JSON.stringify(fallback)}\`.`;
  return [doc, choice, leftOut].filter(Boolean).join(' ');
}
