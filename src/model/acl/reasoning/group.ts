import type { AclChange } from './diff';

/** Changes that differ in their operation alone. */
export type AclChangeGroup = readonly [AclChange, ...AclChange[]];

/** Brings together the changes that are about the same requests but for the operation, in the order of the first ones. */
export function groupChanges(changes: readonly AclChange[]): readonly AclChangeGroup[] {
  const groups = new Map<string, [AclChange, ...AclChange[]]>();
  for (const change of changes) {
    const { becomes, pattern, except, partly, checks, before, after } = change;
    const key = JSON.stringify([becomes, pattern, except, partly, checks, before?.path, after?.path]);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()];
}
