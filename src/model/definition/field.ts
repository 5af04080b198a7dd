import type { Phrase } from '../messages';

/**
 * What a field holds. `duration` is seconds, or text such as `24h`; `string_set` has no order, `string_list` has; `string_map`
 * has texts by name.
 */
export type FieldType =
  'string' | 'integer' | 'boolean' | 'duration' | 'string_set' | 'string_list' | 'string_map';

/** The least edition of the server that offers something. */
export type Edition = 'community' | 'enterprise';

/** One field of an object of the interface: the only place where its facts are written. */
export interface Field {
  readonly type: FieldType;
  readonly required?: boolean;
  /** What the server assumes when the field is left out. */
  readonly default?: string | number | boolean | readonly string[];
  /** The values allowed, where they can be listed. The default is always allowed. */
  readonly allowed?: readonly string[] | readonly number[];
  /** Upper and lower case mean the same in the values allowed. */
  readonly ignoreCase?: true;
  /**
   * Whether two values mean the same, if the type does not tell: `0x1` and `0x0001`. Neither of them is left out. See
   * `sameMeaning`, which compares what may be.
   */
  readonly sameMeaning?: (one: unknown, other: unknown) => boolean;
  /** A secret: never in plan, state, logs or error texts. */
  readonly sensitive?: boolean;
  /** Part of the object's path: another value is another object. */
  readonly identity?: boolean;
  /** The version of the server that began to know the field, where it is later than the interface's: `1.18`. */
  readonly since?: string;
  /** The meaning, with units, as users read it in the reference. */
  readonly doc: string;
  /** What else only those need to know who set the field. */
  readonly inputDoc?: string;
  /** The section of the interface document that the field comes from. */
  readonly section: string;
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>;

/** A kind of object of the interface. */
export interface ObjectDefinition {
  /** In identifiers and Terraform types: `acl_policy`. */
  readonly name: string;
  /** In sentences: `ACL policy`. */
  readonly title: string;
  /** Below `/v1/`, without the object's name: `sys/policies/acl`. */
  readonly path: string;
  readonly edition: Edition;
  /** Its endpoints answer in the root namespace and in the administrative one only. */
  readonly restricted: boolean;
  /** It cannot be updated: a change of any field makes another object. */
  readonly immutable?: true;
  /** There is one for the whole cluster: it belongs to no namespace. */
  readonly clusterWide?: true;
  readonly doc: string;
  readonly section: string;
  readonly fields: Fields;
  readonly rules: readonly Rule[];
}

/** Values of an object's fields. A field that is left out is absent, `undefined` or `null`. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** A condition on an object, checked wherever its values are known: synth, plan, apply and the emulator. */
export interface Rule {
  readonly id: string;
  readonly section: string;
  /** The fields looked at, and what else whoever validates says of the object. A rule waits until all of them are known. */
  readonly reads: readonly string[];
  /** Servers take what breaks the rule, and do something else than its author means: the author alone is told. */
  readonly serverAccepts?: true;
  check(values: FieldValues): readonly Finding[];
}

/** What is wrong with an object, or (as a warning) what its author should know. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly rule: string;
  readonly field: string;
  /** The entry of the field that is at fault, if the field is a map. */
  readonly key?: string;
  /** The predicate to the field's name: `must be lower case`. It names other fields as references. */
  readonly problem: Phrase;
  /** The value received, as it may be shown. Absent for secrets. */
  readonly received?: Phrase;
  /** What is allowed, in words or as a list. */
  readonly allowed?: Phrase;
  /** What to do, as a command: `write "ops"`. */
  readonly cure: Phrase;
  /** Where in a text field, counted from 1. */
  readonly position?: TextPosition;
}

/** A place in a text, counted from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The name of the field that is part of an object's path. */
export function nameField({ fields }: { readonly fields: Fields }): string {
  const name = Object.keys(fields).find((field) => fields[field]?.identity);
  if (name === undefined) throw new Error('the objects have no name');
  return name;
}

/** The names of the fields that hold secrets. */
export function secretFields({ fields }: { readonly fields: Fields }): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.sensitive);
}
