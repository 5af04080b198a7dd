import type { ClusterSettings } from '../../provider/configuration';

/** The settings without which a cluster still tells how it is. */
const CREDENTIALS = ['token', 'auth_login'];

/** What to do about settings that are not known. */
export const UNKNOWN_SETTINGS_CURE =
  "set the stacks' variables in the environment (TF_VAR_...), as for Terraform";

/** Whether it is known where the cluster is, so that it can be asked what it tells everybody. */
export function canBeAsked({ unknown }: ClusterSettings): boolean {
  return unknown.every((setting) => CREDENTIALS.includes(setting));
}

/** What is not known of a cluster, to be said in words. */
export function describeUnknown({ unknown }: ClusterSettings): string {
  return `its ${unknown.join(', ')} in the stacks is not known before Terraform runs`;
}
