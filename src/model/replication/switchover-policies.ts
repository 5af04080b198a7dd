import { ACL_POLICY_PATH } from '../paths';

/**
 * The ACL policy in which an apply stores the name of the next primary before the old one is
 * demoted.
 */
export const SWITCHOVER_POLICY = 'vaultadmin-switchover';

/**
 * The ACL policy in which an apply stores that a new primary has all writes of certain former
 * primaries. It has another name than the announcement, so that a late announcement does not
 * replace it.
 */
export const TAKEOVER_POLICY = 'vaultadmin-takeover';

/** The paths of the policies. */
export const SWITCHOVER_POLICY_PATH = `${ACL_POLICY_PATH}/${SWITCHOVER_POLICY}`;
export const TAKEOVER_POLICY_PATH = `${ACL_POLICY_PATH}/${TAKEOVER_POLICY}`;
