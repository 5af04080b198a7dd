import type { Effort } from '../effort';
import { patternOf, matchesPattern } from './pattern';

/**
 * The paths that require the capability `sudo` in addition to the capability for the operation.
 * Paths of secrets engines depend on where the engine is mounted, and are not listed.
 */
export const ROOT_PATHS: readonly string[] = [
  'auth/token/accessors',
  'auth/token/accessors/',
  'auth/token/revoke-orphan',
  'sys/audit',
  'sys/audit/*',
  'sys/auth/*',
  'sys/config/auditing/*',
  'sys/config/cors',
  'sys/config/ui/headers/*',
  'sys/internal/counters/activity/export',
  'sys/internal/inspect/*',
  'sys/leases',
  'sys/leases/lookup/*',
  'sys/leases/revoke-force/*',
  'sys/leases/revoke-prefix/*',
  'sys/plugins/catalog/*',
  'sys/raw',
  'sys/raw/*',
  'sys/remount',
  'sys/replication/dr/primary/secondary-token',
  'sys/replication/performance/primary/secondary-token',
  'sys/replication/primary/secondary-token',
  'sys/replication/reindex',
  'sys/revoke-force/*',
  'sys/revoke-prefix/*',
  'sys/rotate',
  'sys/seal',
  'sys/step-down',
  'sys/storage/raft/snapshot-auto/config/*',
];

const PATTERNS = ROOT_PATHS.map(patternOf);

/**
 * Whether requests for a path need `sudo`.
 *
 * @param path without the namespace.
 */
export function isRootPath(path: string, effort: Effort): boolean {
  const segments = path.split('/');
  return PATTERNS.some((pattern) => matchesPattern(pattern, segments, effort));
}
