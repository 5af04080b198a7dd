import { OLDEST_TERRAFORM } from '../../src/model/versions';

/**
 * What a Terraform block says beside `block`: which Terraform, or OpenTofu, the stack needs. One that is older then says so
 * before it does anything. Where the app sets the stack's `required_version` itself, that counts.
 */
export function withRequiredVersion(block: { terraform?: object }): object {
  return { ...block, terraform: { ...block.terraform, required_version: `>= ${OLDEST_TERRAFORM}` } };
}
