import { VAULT_ENVIRONMENT } from '../model/sentinel';
import { ANY_KEY, isMapShape, type Shape } from '../sentinel';
import { membersOf } from '../sentinel/imports/standard';
import { own } from '../text';

/**
 * Returns the names below a name in a policy: the fields of a value that Vault provides, or the
 * members of an import.
 */
export function fieldsOf(path: string, text: string): readonly string[] {
  const shape = shapeOf(path);
  if (isMapShape(shape)) return Object.keys(shape).filter((key) => key !== ANY_KEY);
  return isImported(path, text) ? (membersOf(path) ?? []) : [];
}

/** Returns the known shape of a value that Vault hands over. */
export function shapeOf(path: string): Shape | undefined {
  let shape: Shape | undefined = VAULT_ENVIRONMENT.globals;
  for (const name of path.split('.')) {
    if (!isMapShape(shape)) return undefined;
    shape = own(shape, name) ?? own(shape, ANY_KEY);
  }
  return shape;
}

function isImported(name: string, text: string): boolean {
  return Array.from(text.matchAll(/^[ \t]*import[ \t]+"(\w+)"/gm), ([, imported]) => imported).includes(name);
}

/** Returns the dotted name that ends at an offset, such as `request.path`. */
export function nameBefore(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && /[\w.]/.test(text[start - 1]!)) start--;
  return text.slice(start, offset);
}
