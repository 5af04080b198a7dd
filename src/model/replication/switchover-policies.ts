import { ACL_POLICY_PATH, MOUNTS_PATH } from '../paths';

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

/**
 * The path of the local secrets engine in whose description an apply stores that a secondary has
 * all writes of certain former primaries, before the secondary is promoted. ACL policies cannot be
 * written then, because the set has no primary.
 */
export const PROMOTION_MOUNT = 'vaultadmin-promotion';
export const PROMOTION_MOUNT_PATH = `${MOUNTS_PATH}/${PROMOTION_MOUNT}`;
