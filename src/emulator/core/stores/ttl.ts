import { formatDuration } from '../../../model';

interface TtlRequest {
  /** The requested increment of a renewal; 0 for the default. */
  readonly increment?: number;
  /** The requested TTL of a login or a new token; 0 for the mount's default. */
  readonly ttl?: number;
  readonly period?: number;
  readonly maxTtl?: number;
  readonly explicitMaxTtl?: number;
}

/** The TTLs of a mount in seconds. */
export interface MountTtls {
  readonly default: number;
  readonly max: number;
}

/**
 * Returns the TTL of a new or renewed token in seconds, with the server's limits applied.
 *
 * @param ageSeconds the time since the token was created.
 * @returns `undefined` in `ttl` if the token is past its maximum TTL.
 */
export function calculateTtl(
  request: TtlRequest,
  mount: MountTtls,
  ageSeconds: number,
): { readonly ttl: number | undefined; readonly warnings: readonly string[] } {
  const { increment = 0, ttl: wanted = 0, period = 0, maxTtl = 0, explicitMaxTtl = 0 } = request;
  const warnings: string[] = [];
  const limit = Math.min(mount.max, maxTtl || Infinity, explicitMaxTtl || Infinity);
  let ttl: number;
  let remaining: number;
  if (period > 0) {
    ttl = Math.min(period, limit);
    if (period > limit) {
      warnings.push(
        `period of ${quoted(period)} exceeded the effective max_ttl of ${quoted(limit)}; ` +
          'period value is capped accordingly',
      );
    }
    remaining = explicitMaxTtl > 0 ? explicitMaxTtl - ageSeconds : Infinity;
  } else {
    ttl = increment || wanted || mount.default;
    remaining = limit - ageSeconds;
  }
  if (remaining <= 0) return { ttl: undefined, warnings };
  if (ttl > remaining) {
    warnings.push(
      `TTL of ${quoted(ttl)} exceeded the effective max_ttl of ${quoted(remaining)}; TTL value is capped accordingly`,
    );
    ttl = remaining;
  }
  return { ttl, warnings };
}

/** Formats a duration as the server does in warnings: without trailing units that are zero. */
function quoted(seconds: number): string {
  const text = formatDuration(seconds);
  return `"${text === '0s' ? text : text.replace(/m0s$/, 'm').replace(/h0m/, 'h')}"`;
}
