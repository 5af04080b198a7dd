import { FLAVOUR as CDKTN } from './cdktn';

/** The package whose bindings have an argument for a secret that is not stored, if any. */
export function packageThatDoesNotStore(argument: string): string | undefined {
  return argument in CDKTN.writeOnlySecrets ? 'cdktn-vault-admin' : undefined;
}
