/**
 * Returns the value of a record's own property. A name from elsewhere, such as `constructor`, does
 * not find an inherited one.
 */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
