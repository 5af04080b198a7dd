/** The operations of requests that commands and tests ask about. */
export const OPERATIONS = ['create', 'read', 'update', 'patch', 'delete', 'list', 'recover'] as const;
export type RequestOperation = (typeof OPERATIONS)[number];
