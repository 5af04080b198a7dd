import type { Fields } from './field';

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
