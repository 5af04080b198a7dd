import { isOlder } from '../versions';
import type { AclOptions } from './acl';
import type { AclServerSettings } from './settings';

/**
 * The releases that introduced a change: the first one of each line that was maintained then, and
 * of the next line.
 */
export const GLOBS_IN_TEMPLATES_REFUSED = ['1.19.17', '1.20.11', '1.21.6', '2.0.1'];

type ServerOptions = Required<
  Pick<AclOptions, 'perElementLists' | 'listsWithSlashFirst' | 'refuseGlobs' | 'refuseSlashes'>
>;

/**
 * Returns how a server of a version decides on requests.
 *
 * @param version such as `1.21.0+ent`.
 * @param settings of the server. Default: those that servers have.
 */
export function aclOptionsFor(version: string, settings: AclServerSettings = {}): ServerOptions {
  const isPerElement = settings.newPerElementMatchingOnList === true || !isOlder(version, '1.21');
  return {
    perElementLists: isPerElement && settings.legacyExactMatchingOnList !== true,
    listsWithSlashFirst: !isOlder(version, '2.0.3'),
    refuseGlobs:
      isIncluded(GLOBS_IN_TEMPLATES_REFUSED, version) && settings.allowWildcardsInIdentityTemplates !== true,
    refuseSlashes: settings.denySlashInTemplatedPaths === true,
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
