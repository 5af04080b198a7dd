import { ACL_POLICY } from '../policies';

/** The ACL policy in which an apply names the cluster that is to take over from a primary, before that steps down. */
export const SWITCHOVER_POLICY = 'vaultadmin-switchover';

/** Where the policy is. */
export const SWITCHOVER_POLICY_PATH = `${ACL_POLICY.path}/${SWITCHOVER_POLICY}`;
