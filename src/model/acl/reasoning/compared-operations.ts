/** The operations of requests that people ask about. Each requires the capability of its name. */
export const ASKED_OPERATIONS = ['create', 'read', 'update', 'patch', 'delete', 'list', 'recover'] as const;
export type AskedOperation = (typeof ASKED_OPERATIONS)[number];

/**
 * The items of a comparison: the operations, the capability `sudo` of a path and of its list, and
 * `subscribe`.
 */
export const COMPARED_OPERATIONS = [...ASKED_OPERATIONS, 'sudo', 'subscribe'] as const;
export type ComparedOperation = (typeof COMPARED_OPERATIONS)[number];

/** The folders with which sensitive paths in a namespace begin. */
export const SENSITIVE_FOLDERS: readonly string[] = ['sys', 'auth', 'identity'];
