/** The oldest Node.js that runs the provider and everything else here. */
export const OLDEST_NODE = '20.18';

/**
 * The oldest Terraform, and the oldest OpenTofu: the first that know write-only arguments and ephemeral resources, which
 * keep secrets out of plans and states.
 */
export const OLDEST_TERRAFORM = '1.11';
