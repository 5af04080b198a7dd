import type { BackendFactory } from '../core/backend';

/** The auth methods that can be enabled, by type. */
export const authMethods: ReadonlyMap<string, BackendFactory> = new Map();
