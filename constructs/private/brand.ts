/**
 * Marks an instance of a class of this package. Unlike `instanceof`, the mark is recognized by
 * other copies of the package. Unlike a member, no other class can have it by chance.
 */
export function brand(instance: object, type: string): void {
  Object.defineProperty(instance, brandOf(type), { value: true });
}

/** Whether a value is an instance of a class of this package, by the name of the class. */
export function hasBrand(value: unknown, type: string): boolean {
  return typeof value === 'object' && value !== null && brandOf(type) in value;
}

function brandOf(type: string): symbol {
  return Symbol.for(`cdktf-vault-admin.${type}`);
}
