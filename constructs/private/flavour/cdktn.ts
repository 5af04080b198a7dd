import type { Flavour } from './flavour';

/** The bindings of CDK Terrain, 18.3, generated from hashicorp/vault 5.13. */
export const FLAVOUR: Flavour = { writeOnlySecrets: { aws_secret_access_key: 'aws_secret_access_key_wo' } };
