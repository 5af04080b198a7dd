import { FLAVOUR as CDKTN } from './cdktn';

/**
 * Returns the package whose bindings have an argument for the secret that Terraform does not store,
 * if any.
 */
export function packageThatDoesNotStore(argument: string): string | undefined {
  return argument in CDKTN.writeOnlySecrets ? 'cdktn-vault-admin' : undefined;
}
