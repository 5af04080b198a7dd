/**
 * Returns the value of a record's own property: a name from elsewhere, such as `constructor`, finds
 * nothing that is inherited.
 */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
