import type { Flavour } from './flavour';

/** The bindings `@cdktf/provider-vault` 15.6, generated from hashicorp/vault 5.6. */
export const FLAVOUR: Flavour = { writeOnlySecrets: {} };
