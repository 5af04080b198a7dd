/** What clusters may be called in apps. */
export const CLUSTER_NAMES = 'a letter, followed by letters, digits, - and _';

export function isClusterName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(name);
}
