import { isOlder } from '../versions';
import type { AclOptions } from './acl';

/**
 * The releases that introduced a change: the first one of each line that was maintained then, and
 * of the next line.
 */
export const GLOBS_IN_TEMPLATES_REFUSED = ['1.19.17', '1.20.11', '1.21.6', '2.0.1'];

/**
 * Returns how a server of a version decides on requests.
 *
 * @param version such as `1.21.0+ent`.
 */
export function aclOptionsFor(
  version: string,
): Required<Pick<AclOptions, 'perElementLists' | 'listsWithSlashFirst' | 'refuseGlobs'>> {
  return {
    perElementLists: !isOlder(version, '1.21'),
    listsWithSlashFirst: !isOlder(version, '2.0.3'),
    refuseGlobs: isIncluded(GLOBS_IN_TEMPLATES_REFUSED, version),
  };
}

/**
 * Whether a version has a change: by the release of its own line, or because its line began later.
 */
export function isIncluded(releases: readonly string[], version: string): boolean {
  const line = lineOf(version);
  const own = releases.find((release) => lineOf(release) === line);
  return !isOlder(version, own ?? releases.at(-1)!);
}

/** The newest Vault whose policies are known here. */
const NEWEST = '2.2';
/** The first version of OpenBao, whose health does not show an edition. */
const FIRST_OPENBAO = '2.0';

/**
 * Whether all that a server accepts in policies is known, unlike for OpenBao and for a newer Vault.
 *
 * @param health the server's answer at `sys/health`.
 */
export function isKnownServer({ version, enterprise }: Health): boolean {
  const isVault = enterprise !== undefined || version.includes('+ent') || isOlder(version, FIRST_OPENBAO);
  return isVault && !isOlder(NEWEST, lineOf(version));
}

interface Health {
  readonly version: string;
  readonly enterprise?: unknown;
}

function lineOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
