import type { Fields, ObjectDefinition, Rule } from './field';

/** One of the services that can stand behind an object of a kind. */
export interface Backend<Name extends string = string> {
  /** As the field that names it has it: `aws-s3`. */
  readonly type: Name;
  /** In sentences: `AWS S3`. */
  readonly title: string;
  /** In identifiers: `aws_s3`. */
  readonly block: string;
  readonly doc: string;
  /** The fields that objects with this backend have beyond the common ones. */
  readonly fields: Fields;
  /** An object with this backend as a whole: the common fields and its own. */
  readonly definition: ObjectDefinition;
}

/** A kind of object with exactly one of several backends. As a definition it has what all of its objects have. */
export interface BackedObject<B extends Backend = Backend> extends ObjectDefinition {
  /** The field or part of the path that names the backend. */
  readonly typeField: string;
  /** By their types, in the order of the reference. */
  readonly backends: Readonly<Record<B['type'], B>>;
}

/** What is written of a backend: {@link withDefinition} adds the rest. */
export type BackendFacts<B extends Backend = Backend> = Omit<B, 'definition'> & {
  /** The rules beyond the common ones. */
  readonly rules: readonly Rule[];
};

/** The definition of an object as a whole, from what all of its kind have and what its backend adds. */
export function withDefinition<F extends BackendFacts>(
  common: ObjectDefinition,
  { rules, ...facts }: F,
  differing: Partial<ObjectDefinition> = {},
): Omit<F, 'rules'> & Pick<Backend, 'definition'> {
  return {
    ...facts,
    definition: {
      ...common,
      fields: { ...common.fields, ...facts.fields },
      rules: [...common.rules, ...rules],
      ...differing,
    },
  };
}

/** The backend of a type. `undefined` if there is none of that type. */
export function backendOfType<B extends Backend>(
  { backends }: Pick<BackedObject<B>, 'backends'>,
  type: unknown,
): B | undefined {
  return Object.values<B>(backends).find((backend) => backend.type === type);
}
