import type { Field } from '../../../model';
import type { FieldSchema, FieldType } from './fields';

/** How requests carry a field of the model. */
export const TYPE_ON_WIRE: Readonly<Record<Field['type'], FieldType>> = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  duration: 'duration',
  string_set: 'comma_string_list',
  string_list: 'comma_string_list',
};

/** A field of the model as requests carry it: what identifies an object is in the path. */
export function schemaOf({ type, doc, identity }: Field): FieldSchema {
  return { type: TYPE_ON_WIRE[type], description: doc, ...(identity === true && { path: true as const }) };
}
