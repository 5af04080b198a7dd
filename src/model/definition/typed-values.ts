import type { Field, Fields, FieldType } from './field';

interface TypedValues extends Record<FieldType, unknown> {
  string: string;
  integer: number;
  boolean: boolean;
  duration: number | string;
  string_set: readonly string[];
  string_list: readonly string[];
  string_map: Readonly<Record<string, string>>;
}

type ValueOf<F extends Field> = TypedValues[F['type']];

/** The TypeScript type of the values of fields. Each value may be absent. */
export type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]?: ValueOf<F[Name]>;
};

/** The TypeScript type of the values of an object, without the name, which is part of its path. */
export type WrittenValuesOf<F extends Fields> = {
  readonly [
    Name in keyof F as F[Name] extends { identity: true }
      ? never
      : F[Name] extends { required: true }
        ? Name
        : never
  ]: ValueOf<F[Name]>;
} & {
  readonly [
    Name in keyof F as F[Name] extends { identity: true } | { required: true } ? never : Name
  ]?: ValueOf<F[Name]>;
};
