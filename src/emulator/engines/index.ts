import type { BackendFactory } from '../core/backend';

/** The secrets engines that can be enabled, by type. */
export const secretsEngines: ReadonlyMap<string, BackendFactory> = new Map();
