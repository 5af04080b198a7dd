import { formatDuration } from '../../../model';

interface TtlRequest {
  /** What a renewal requests; 0 if nothing is asked. */
  readonly increment?: number;
  /** What the login or the creation requests; 0 leaves it to the mount. */
  readonly ttl?: number;
  readonly period?: number;
  readonly maxTtl?: number;
  readonly explicitMaxTtl?: number;
}

/** All in seconds. */
export interface MountTtls {
  readonly default: number;
  readonly max: number;
}

/**
 * The TTL of a new or renewed token, in seconds, capped the way the server does it.
 *
 * @param ageSeconds how long the token has existed.
 * @returns undefined in `ttl` where the token is past its maximum.
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

/** As the server writes durations in warnings: without parts that are zero at the end. */
function quoted(seconds: number): string {
  const text = formatDuration(seconds);
  return `"${text === '0s' ? text : text.replace(/m0s$/, 'm').replace(/h0m/, 'h')}"`;
}
