import type { Field, FieldType } from './field';

interface TypedValues extends Record<FieldType, unknown> {
  string: string;
  integer: number;
  boolean: boolean;
  duration: number | string;
  string_set: readonly string[];
  string_list: readonly string[];
}

/** The TypeScript type of values that fields describe. Any of them may be left out. */
export type ValuesOf<F extends Readonly<Record<string, Field>>> = {
  readonly [Name in keyof F]?: TypedValues[F[Name]['type']];
};
