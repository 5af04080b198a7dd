/**
 * The items of a comparison: the operations, the capability `sudo` of a path, that of its list if
 * another rule decides on it, and `subscribe`.
 */
export const COMPARED_OPERATIONS = [
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
  'recover',
  'sudo',
  'subscribe',
] as const;
export type ComparedOperation = (typeof COMPARED_OPERATIONS)[number];

/** The folders that stand at the beginning of a path in a namespace. */
export const SENSITIVE_FOLDERS: readonly string[] = ['sys', 'auth', 'identity'];
