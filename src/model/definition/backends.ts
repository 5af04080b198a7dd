import type { Fields, ObjectDefinition, Rule } from './field';

/** A type of HSM, cloud key store, storage or audit device that an object of a kind uses. */
export interface Backend<Name extends string = string> {
  /** The value of the field that names it: `aws-s3`. */
  readonly type: Name;
  /** The name in sentences: `AWS S3`. */
  readonly title: string;
  /** The name in identifiers: `aws_s3`. */
  readonly block: string;
  readonly doc: string;
  /** The fields of objects with this backend, besides the common ones. */
  readonly fields: Fields;
  /** The whole definition of an object with this backend: the common fields and its own. */
  readonly definition: ObjectDefinition;
}

/**
 * A kind of object with exactly one of several backends. Its own definition has the fields and
 * rules that all backends share.
 */
export interface BackedObject<B extends Backend = Backend> extends ObjectDefinition {
  /** The field or part of the path that names the backend. */
  readonly typeField: string;
  /** The backends by type, in the order of the reference. */
  readonly backends: Readonly<Record<B['type'], B>>;
}

/**
 * The properties of a backend as they are written in the sources. {@link withDefinition} adds the
 * definition.
 */
export type BackendFacts<B extends Backend = Backend> = Omit<B, 'definition'> & {
  /** The rules in addition to those that all backends share. */
  readonly rules: readonly Rule[];
};

/**
 * Adds the whole definition of objects with a backend: the fields and rules of their kind, and
 * those of the backend.
 */
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

/** Returns the backend of a type, or `undefined` if the type is not known. */
export function backendOfType<B extends Backend>(
  { backends }: Pick<BackedObject<B>, 'backends'>,
  type: unknown,
): B | undefined {
  return Object.values<B>(backends).find((backend) => backend.type === type);
}
