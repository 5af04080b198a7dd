import type { Field, FieldType } from '../../model';
import { attribute, types, type Attributes, type Type, type ValueAttribute } from '../../plugin';

/**
 * The types of fields in Terraform. Durations are texts, and Terraform converts numbers to texts.
 */
interface TerraformValues extends Record<FieldType, unknown> {
  string: string;
  duration: string;
  integer: number;
  boolean: boolean;
  string_set: readonly string[];
  string_list: readonly string[];
  string_map: Readonly<Record<string, string>>;
}

type ValueOf<F extends Field> = TerraformValues[F['type']];

type PresenceOf<F extends Field> = F extends { readonly required: true }
  ? 'required'
  : F extends { readonly default: NonNullable<Field['default']> }
    ? 'defaulted'
    : 'optional';

/** The attributes for fields of the model, each with the TypeScript type of its values. */
type FieldAttributes<F extends Readonly<Record<string, Field>>> = {
  readonly [Name in keyof F]: ValueAttribute<ValueOf<F[Name]>, PresenceOf<F[Name]>>;
};

/** The types of attributes, by the types of fields. */
export const TYPES: Readonly<Record<FieldType, Type>> = {
  string: types.string,
  duration: types.string,
  integer: types.integer,
  boolean: types.bool,
  string_set: types.set(types.string),
  string_list: types.list(types.string),
  string_map: types.map(types.string),
};

/**
 * Returns the attributes for fields of the model. Secrets are sensitive attributes.
 *
 * @param fields with their literal types: `as const satisfies Readonly<Record<string, Field>>`.
 */
export function fieldAttributes<F extends Readonly<Record<string, Field>>>(fields: F): FieldAttributes<F> {
  return attributesOf(fields, (field) => {
    const { required = false, sensitive = false, default: fallback } = field;
    return { required, optional: !required, sensitive, default: fallback, description: describeField(field) };
  }) as FieldAttributes<F>;
}

/**
 * Returns the attributes for fields whose defaults Terraform does not plan: all of them are
 * optional.
 *
 * @param describe returns the description of a field.
 */
export function optionalAttributes<T extends Field, F extends Readonly<Record<string, T>>>(
  fields: F,
  describe: (field: F[keyof F]) => string,
): { readonly [Name in keyof F]: ValueAttribute<ValueOf<F[Name]>, 'optional'> } {
  return attributesOf(fields, (field) => ({ optional: true, description: describe(field) })) as {
    readonly [Name in keyof F]: ValueAttribute<ValueOf<F[Name]>, 'optional'>;
  };
}

/** Returns an attribute for each field, with the type that {@link TYPES} lists for it. */
function attributesOf<F extends Readonly<Record<string, Field>>>(
  fields: F,
  optionsOf: (field: F[keyof F]) => Parameters<typeof attribute>[1],
): Attributes {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      attribute(TYPES[field.type], optionsOf(field as F[keyof F])),
    ]),
  );
}

/** Returns null values for fields that are not configured. */
export function defaultsOf<F extends Readonly<Record<string, Field>>>(fields: F) {
  const values = Object.entries<Field>(fields).map(([name, field]) => [name, field.default ?? null]);
  return Object.fromEntries(values) as {
    readonly [Name in keyof F]: F[Name] extends { readonly default: infer D } ? D : null;
  };
}

/**
 * Returns the description of a field as an argument: its doc, followed by the default and the
 * allowed values.
 */
export function describeField(field: Field): string {
  const { doc, inputDoc, default: fallback } = field;
  const leftOut = fallback !== undefined && `Default: \`${JSON.stringify(fallback)}\`.`;
  return [doc, inputDoc, allowedValues('Allowed', field), leftOut, versionOf(field)]
    .filter(Boolean)
    .join(' ');
}

/** Returns the description of a field that is only read. */
export function describeReadField(field: Field): string {
  return [field.doc, allowedValues('One of', field), versionOf(field)].filter(Boolean).join(' ');
}

/** Returns the allowed values, unless the doc lists them. */
function allowedValues(introduction: string, { doc, allowed }: Field): string | undefined {
  if (!allowed || allowed.every((value) => doc.includes(`\`${value}\``))) return undefined;
  return `${introduction}: ${allowed.map((value) => `\`${value}\``).join(', ')}.`;
}

function versionOf({ since }: Field): string | undefined {
  return since === undefined ? undefined : `Requires Vault ${since} or later.`;
}
