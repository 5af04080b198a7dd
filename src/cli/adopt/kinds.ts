import type { AdoptedKind } from './kinds/kind';

/**
 * The kinds of objects that can be adopted, by their names on the command line, in the order in
 * which the app declares them. A kind is loaded when it is read: `--help` needs the names alone.
 */
const CLUSTER_KINDS = {
  namespaces: async () => (await import('./kinds/namespaces.js')).NAMESPACES,
  policies: async () => (await import('./kinds/policies.js')).POLICIES,
  'managed-keys': async () => (await import('./kinds/managed-keys.js')).MANAGED_KEYS,
  snapshots: async () => (await import('./kinds/auto-snapshots.js')).AUTO_SNAPSHOTS,
  'audit-devices': async () => (await import('./kinds/audit-devices.js')).AUDIT_DEVICES,
} satisfies Readonly<Record<string, () => Promise<AdoptedKind>>>;

export type Kind = keyof typeof CLUSTER_KINDS | 'replication';

/** Replication spans clusters, and has a stack of its own. */
export const KINDS = [...Object.keys(CLUSTER_KINDS), 'replication'] as readonly Kind[];

/** Loads the kinds to read from each cluster. */
export function clusterKinds(kinds: readonly Kind[]): Promise<readonly AdoptedKind[]> {
  return Promise.all(
    Object.entries(CLUSTER_KINDS).flatMap(([name, load]) => (kinds.includes(name as Kind) ? [load()] : [])),
  );
}
