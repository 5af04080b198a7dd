import { isOlder } from '../versions';
import type { AclAlternative, AclOptions, DenialRule, ListRule } from './acl';
import type { AclParseOptions } from './parse';
import { OPENBAO_KEYS } from './path-arguments';
import type { AclServerSettings } from './settings';

/**
 * The releases that introduced a change: the first one of each line that was maintained then, and
 * of the next line.
 */
export const GLOBS_IN_TEMPLATES_REFUSED = ['1.19.17', '1.20.11', '1.21.6', '2.0.1'];

/**
 * The releases that compare names of policies in the parameters of requests in lower case. For some
 * lines, they are taken from release notes that name the same fault.
 */
const POLICY_NAMES_LOWERED = ['1.19.23', '1.20.17', '1.21.12', '2.1.2'];
/** The releases in which rules with `deny` match paths in upper and lower case. */
const DENIALS_IN_ANY_CASE = ['1.19.25', '1.21.14', '2.2.2'];

type ServerOptions = Required<
  Pick<
    AclOptions,
    | 'perElementLists'
    | 'lowerPolicyNames'
    | 'lists'
    | 'denials'
    | 'refuseGlobs'
    | 'refuseSlashes'
    | 'alternatives'
  >
>;

/**
 * Returns how a server of a version decides on requests.
 *
 * @param version such as `1.21.0+ent`, or `openbao-2.6.0`.
 * @param settings the settings of the server. Default: the server's own defaults.
 */
export function aclOptionsFor(version: string, settings: AclServerSettings = {}): ServerOptions {
  const openBao = openBaoVersion(version);
  return openBao === undefined ? ofVault(version, settings) : ofOpenBao(openBao, settings);
}

function ofVault(version: string, settings: AclServerSettings): ServerOptions {
  const isPerElement = settings.newPerElementMatchingOnList === true || !isOlder(version, '1.21');
  return {
    perElementLists: isPerElement && settings.legacyExactMatchingOnList !== true,
    lowerPolicyNames: isIncluded(POLICY_NAMES_LOWERED, version),
    lists: listRuleOf(version),
    denials: isIncluded(DENIALS_IN_ANY_CASE, version) ? 'any-case' : 'as-written',
    refuseGlobs:
      isIncluded(GLOBS_IN_TEMPLATES_REFUSED, version) && settings.allowWildcardsInIdentityTemplates !== true,
    refuseSlashes: settings.denySlashInTemplatedPaths === true,
    alternatives: alternativesOf(version),
  };
}

/**
 * The releases from which on the rule of a list may be chosen differently: the first ones after
 * those whose choice is known.
 */
const LISTS_PERHAPS_CHANGED = ['1.19.18', '1.20.12', '1.21.7', '2.0.4'];
const LIST_RULES: readonly ListRule[] = ['with-slash-first', 'both'];

/** Returns the alternatives for questions that public sources leave open about a version. */
function alternativesOf(version: string): readonly AclAlternative[] {
  const isOpen = isIncluded(LISTS_PERHAPS_CHANGED, version) && isOlder(version, LISTS_OF_BOTH_FORMS);
  const known = listRuleOf(version);
  const lists = isOpen ? LIST_RULES.filter((each) => each !== known) : [];
  const isAnyCase = isIncluded(DENIALS_IN_ANY_CASE, version);
  const denials: readonly DenialRule[] = isAnyCase
    ? ['any-case-unless-named']
    : isIncluded(POLICY_NAMES_LOWERED, version)
      ? ['any-case']
      : [];
  return [
    ...lists.map((each) => ({ about: OPEN_LISTS, options: { lists: each } })),
    ...denials.map((each) => ({
      about: isAnyCase ? OPEN_SPELLINGS : OPEN_DENIALS,
      options: { denials: each },
    })),
  ];
}

const OPEN_LISTS =
  'Releases of 2026 changed which of several matching rules decides on a list: since when is not documented for this line.';
const OPEN_SPELLINGS =
  'A rule denies the path in another spelling, in upper or lower case, than a rule that allows it: which one decides is not documented.';
const OPEN_DENIALS =
  'This release denies some names in upper and lower case alike, such as those of roles, users and policies: on which paths is not documented.';

/** The first release that is known to choose among the patterns of both forms of a list. */
const LISTS_OF_BOTH_FORMS = '2.1.2';

function listRuleOf(version: string): ListRule {
  if (isOlder(version, '2.0.3')) return 'without-slash-first';
  return isOlder(version, LISTS_OF_BOTH_FORMS) ? 'with-slash-first' : 'both';
}

function ofOpenBao(version: string, settings: AclServerSettings): ServerOptions {
  const isOld = isOlder(version, '2.6');
  return {
    perElementLists: false,
    lowerPolicyNames: false,
    lists: isOld ? 'without-slash-first' : 'with-slash-first',
    denials: 'as-written',
    refuseGlobs: !isOld && settings.allowWildcardsInIdentityTemplates !== true,
    refuseSlashes: !isOld && settings.allowSlashesInIdentityTemplates !== true,
    alternatives: [],
  };
}

const OPENBAO = 'openbao-';

/**
 * Returns how a server of a version reads policies: words that only OpenBao has are left out,
 * because they do not affect the decisions on other capabilities.
 */
export function aclParseOptionsFor(version: string): Pick<AclParseOptions, 'leavesOut'> {
  return openBaoVersion(version) === undefined
    ? {}
    : { leavesOut: (word) => word === 'scan' || OPENBAO_KEYS.includes(word) };
}

/** Returns the version of OpenBao that a text such as `openbao-2.6.0` names. */
function openBaoVersion(version: string): string | undefined {
  return version.startsWith(OPENBAO) ? version.slice(OPENBAO.length) : undefined;
}

/**
 * Whether a version has a change: its line has it from one of the releases on, or is newer than all
 * their lines.
 */
export function isIncluded(releases: readonly string[], version: string): boolean {
  const line = lineOf(version);
  const own = releases.find((release) => lineOf(release) === line);
  return !isOlder(version, own ?? releases.at(-1)!);
}

/** The newest Vault whose policies are known here. */
const NEWEST = '2.2';
/**
 * The first version of OpenBao. From this version number on, a health without an edition may be
 * that of OpenBao.
 */
const FIRST_OPENBAO = '2.0';

/**
 * Whether everything that a server accepts in policies is known here. This is not so for OpenBao
 * and for newer versions of Vault.
 *
 * @param health the server's answer at `sys/health`.
 */
export function isKnownServer(health: Health): boolean {
  return isVault(health) && !isOlder(NEWEST, lineOf(health.version));
}

/** Whether both Vault and OpenBao may have a release with this version. */
export function isAmbiguous(version: string): boolean {
  return !isVault({ version });
}

/**
 * Returns the version for {@link aclOptionsFor}: the version of OpenBao begins with `openbao-`.
 *
 * @param health the server's answer at `sys/health`.
 */
export function productVersion(health: Health): string {
  return isVault(health) ? health.version : OPENBAO + health.version;
}

function isVault({ version, enterprise }: Health): boolean {
  return enterprise !== undefined || version.includes('+ent') || isOlder(version, FIRST_OPENBAO);
}

interface Health {
  readonly version: string;
  readonly enterprise?: unknown;
}

function lineOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
