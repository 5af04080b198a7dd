import type { Phrase } from '../messages';

/**
 * The type of a field's values. `duration` is seconds, or text such as `24h`; `string_set` has no
 * order, `string_list` has; `string_map` has texts by name.
 */
export type FieldType =
  'string' | 'integer' | 'boolean' | 'duration' | 'string_set' | 'string_list' | 'string_map';

/** The smallest edition of the server that has a feature. */
export type Edition = 'community' | 'enterprise';

/** One field of an object of the interface: the only place where its facts are written. */
export interface Field {
  readonly type: FieldType;
  readonly required?: boolean;
  /** The value that the server uses if the field is left out. */
  readonly default?: string | number | boolean | readonly string[];
  /** The allowed values, if they can be listed. The default is always allowed. */
  readonly allowed?: readonly string[] | readonly number[];
  /** Whether upper and lower case mean the same in the allowed values. */
  readonly ignoreCase?: true;
  /**
   * Compares two values, for fields whose type does not determine this: `0x1` and `0x0001` mean the
   * same. Neither value is absent; the function `sameMeaning` handles absent ones.
   */
  readonly sameMeaning?: (one: unknown, other: unknown) => boolean;
  /**
   * Returns the name by which people know a numeric value. It is shown beside the number: in
   * Terraform, the attribute `mechanism_name` has the name for the field `mechanism`.
   */
  readonly valueName?: (value: unknown) => string | undefined;
  /** Whether the value is a secret, which must never be in a plan, state, log or error text. */
  readonly sensitive?: boolean;
  /** Whether the value is part of the object's path, so that another value names another object. */
  readonly identity?: boolean;
  /** The first version of the server with the field, if the other fields are older: `1.18`. */
  readonly since?: string;
  /** The meaning, with units, as it is shown in the reference. */
  readonly doc: string;
  /** A text in addition to `doc`, for people who set the field. */
  readonly inputDoc?: string;
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>;

/** A kind of object of the interface. */
export interface ObjectDefinition {
  /** The name in identifiers and Terraform types: `acl_policy`. */
  readonly name: string;
  /** The name in sentences: `ACL policy`. */
  readonly title: string;
  /** The path below `/v1/`, without the object's name: `sys/policies/acl`. */
  readonly path: string;
  readonly edition: Edition;
  /** Whether the endpoints work only in the root namespace and in the administrative one. */
  readonly restricted: boolean;
  /** Whether the object cannot be updated: a change of any field makes another object. */
  readonly immutable?: true;
  /** Whether the whole cluster has one such object, which belongs to no namespace. */
  readonly clusterWide?: true;
  readonly doc: string;
  readonly fields: Fields;
  readonly rules: readonly Rule[];
}

/** Values of an object's fields. A field that is left out is absent, `undefined` or `null`. */
export type FieldValues = Readonly<Record<string, unknown>>;

/**
 * A condition on an object, checked wherever its values are known: synth, plan, apply and the
 * emulator.
 */
export interface Rule {
  readonly id: string;
  /**
   * The fields that the rule needs, and further facts from the caller. The rule is not checked
   * until all of them are known.
   */
  readonly reads: readonly string[];
  /**
   * Whether servers accept values that break the rule, but do something else than their author
   * intends. Only authors get the finding then, and the emulator does not refuse the values.
   */
  readonly serverAccepts?: true;
  check(values: FieldValues): readonly Finding[];
}

/** A problem of an object, or a warning for its author. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly rule: string;
  readonly field: string;
  /** The entry with the problem, if the field is a map. */
  readonly key?: string;
  /**
   * The predicate that follows the field's name: `must be lower case`. It names other fields as
   * references.
   */
  readonly problem: Phrase;
  /** The value received, in a form that may be shown. Absent for secrets. */
  readonly received?: Phrase;
  /** The allowed values, as a description or a list. */
  readonly allowed?: Phrase;
  /** The correction, as a command: `write "ops"`. */
  readonly cure: Phrase;
  /** The position in a text field. */
  readonly position?: TextPosition;
  /** The file that the value comes from, where it is known. */
  readonly file?: string;
}

/** A place in a text, counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Returns the name of the field that is part of an object's path. */
export function nameField({ fields }: { readonly fields: Fields }): string {
  const name = Object.keys(fields).find((field) => fields[field]?.identity);
  if (name === undefined) throw new Error('the objects have no name');
  return name;
}

/** Returns the names of the fields that hold secrets. */
export function secretFields({ fields }: { readonly fields: Fields }): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.sensitive);
}
