import type { FieldValues } from '../../src/model';

/** Returns fields by their names in the bindings: `aws_s3_bucket` is `awsS3Bucket`. */
export function asArguments(fields: FieldValues): Record<string, unknown> {
  return renamed(fields, (name) =>
    name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
  );
}

/** Returns props by the names of the model's fields: `keyBits` is `key_bits`. */
export function asFields(props: object): FieldValues {
  return renamed(props, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function renamed(values: object, rename: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]));
}
