import { TerraformStack, type TerraformElement } from 'cdktf';
import type { Construct } from 'constructs';

/**
 * Gives the element inside a construct the Terraform address that it would have in the construct's place:
 * `vault_policy.Readers`, not `vault_policy.Readers_F07297A3`.
 */
export function addressAs(construct: Construct, element: TerraformElement): void {
  element.overrideLogicalId(TerraformStack.of(construct).getLogicalId(construct.node));
}
