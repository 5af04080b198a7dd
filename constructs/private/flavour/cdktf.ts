import type { Flavour } from './flavour';

/** `@cdktf/provider-vault` 15.6, made from hashicorp/vault 5.6. */
export const FLAVOUR: Flavour = { writeOnlySecrets: {} };
