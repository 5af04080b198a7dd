import { OLDEST_TERRAFORM } from '../../src/model/versions';

/**
 * Returns the arguments of a Terraform block with the required version of Terraform or OpenTofu, so
 * that an older one fails before it does anything. A `required_version` that the app sets for the
 * stack takes precedence.
 */
export function withRequiredVersion(block: { terraform?: object }): object {
  return { ...block, terraform: { ...block.terraform, required_version: `>= ${OLDEST_TERRAFORM}` } };
}
