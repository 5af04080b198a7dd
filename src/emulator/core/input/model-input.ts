import {
  describeFinding,
  validate,
  type Field,
  type Fields,
  type FieldValues,
  type Finding,
  type ObjectDefinition,
} from '../../../model';
import type { ServerFlavour } from '../backend';
import { type LogicalError, openRefusal } from '../errors';
import type { FieldSchema, FieldSchemaType, FieldTypes } from './field-schemas';

/** The types of fields in requests, by the types of fields in the model. */
export const TYPE_ON_WIRE = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  duration: 'duration',
  string_set: 'comma_string_list',
  string_list: 'comma_string_list',
  string_map: 'key_values',
} as const satisfies Readonly<Record<Field['type'], FieldSchemaType>>;

/**
 * The values of an object's fields after decoding and checking: only fields without default can be
 * missing.
 */
export type InputOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends { required: true } | { default: NonNullable<Field['default']> }
    ? InputValue<F[Name]>
    : InputValue<F[Name]> | undefined;
};

type InputValue<F extends Field> = F extends { allowed: readonly (infer Allowed)[] }
  ? Allowed
  : FieldTypes[(typeof TYPE_ON_WIRE)[F['type']]];

/**
 * The fields of the model that requests contain. The identity of an object is in the path instead.
 */
type SchemasOf<F extends Fields> = {
  readonly [Name in keyof F]: {
    readonly type: (typeof TYPE_ON_WIRE)[F[Name]['type']];
    readonly description: string;
  } & (F[Name] extends { identity: true } ? { readonly path: true } : unknown);
};

export function schemasOf<F extends Fields>(fields: F): SchemasOf<F> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]),
  ) as SchemasOf<F>;
}

export function schemaOf({ type, doc, identity }: Field): FieldSchema {
  return { type: TYPE_ON_WIRE[type], description: doc, ...(identity === true && { path: true as const }) };
}

/** Returns the fields that the server's version has. */
export function knownFields(server: Pick<ServerFlavour, 'atLeast'>, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => knowsField(server, field)));
}

/** Whether the server's version has a field. */
export function knowsField(
  { atLeast }: Pick<ServerFlavour, 'atLeast'>,
  { since = '0.0' }: Pick<Field, 'since'>,
): boolean {
  const [major = 0, minor = 0] = since.split('.').map(Number);
  return atLeast(major, minor);
}

/**
 * Returns the first reason why a server refuses an object; `undefined` if it accepts the object.
 */
export function refusedFinding(
  definition: Pick<ObjectDefinition, 'fields' | 'rules'>,
  values: FieldValues,
): Finding | undefined {
  const enforced = definition.rules.filter(({ serverAccepts }) => serverAccepts !== true);
  return validate({ ...definition, rules: enforced }, values).find(({ severity }) => severity === 'error');
}

/** Creates a refusal with a text of the model. */
export function modelRefusal(text: string): LogicalError {
  return openRefusal('modelRefusals', text);
}

/**
 * Returns the decoded fields of an object, or of a call, that a server accepts.
 *
 * @param name the name of the object; `undefined` if it has none.
 * @throws LogicalError 400 with the model's text if a server refuses them.
 */
export function checkedInput<F extends Fields>(
  definition: Pick<ObjectDefinition, 'title' | 'rules'> & { readonly fields: F },
  name: string | undefined,
  values: FieldValues,
): InputOf<F> {
  const finding = refusedFinding(definition, values);
  if (finding !== undefined) throw modelRefusal(describeFinding(definition, name, finding).line);
  return withChoices(definition.fields, values) as InputOf<F>;
}

/** Returns the values. An empty field with allowed values gets its default. */
function withChoices(fields: Fields, values: FieldValues): FieldValues {
  const isLeftOut = (name: string, value: unknown) => value === '' && fields[name]?.allowed !== undefined;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isLeftOut(name, value) ? fields[name]?.default : value,
    ]),
  );
}
