import type { ObjectDefinition } from '../../../model';
import { PROVIDER_NAME } from '../../../provider/about';

/** The Terraform type of an object: `vaultadmin_acl_policy`. */
export function resourceType({ name }: Pick<ObjectDefinition, 'name'>): string {
  return `${PROVIDER_NAME}_${name}`;
}
