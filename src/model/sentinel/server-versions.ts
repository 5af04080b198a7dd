import type { LanguageVersion } from '../../sentinel/language/features';
import { isOlder } from '../versions';

/**
 * The newest Sentinel of each Vault. HashiCorp does not publish these versions, so they are upper
 * bounds: the newest Sentinel at the release date of each Vault, by the changelogs of both. Vault's
 * changelogs name only one version, 0.18.5 in 1.9.5 and 1.11.0, which is the lower bound. Patch
 * releases of a Vault are assumed to keep its Sentinel.
 */
const SENTINEL_OF_VAULT: readonly (readonly [vault: string, newestSentinel: string])[] = [
  ['1.11', '0.18.5'],
  ['1.12', '0.18.12'],
  ['1.13', '0.20'],
  ['1.14', '0.22'],
  ['1.15', '0.23'],
  ['1.16', '0.24.4'],
  ['1.17', '0.26.1'],
  ['1.18', '0.28'],
  ['1.19', '0.30'],
  ['1.20', '0.40'],
  ['2.0', '0.41'],
];

const AT_LEAST = '0.18.5';

/** The oldest Vault with a known version of Sentinel. */
export const OLDEST_WITH_SENTINEL = '1.11';

/**
 * Returns the version of Sentinel in a server.
 *
 * @param version such as `1.16`, `1.16.2+ent`.
 * @returns `undefined` if it is not a version, or is older than those in the changelogs.
 */
export function sentinelOf(version: string): LanguageVersion | undefined {
  const [, minor] = /^v?(\d+\.\d+)(?:[.+-]|$)/.exec(version) ?? [];
  if (minor === undefined) return undefined;
  const row = SENTINEL_OF_VAULT.findLast(([vault]) => !isOlder(minor, vault));
  return row && { newest: row[1], certain: AT_LEAST, host: `Vault ${minor}` };
}
