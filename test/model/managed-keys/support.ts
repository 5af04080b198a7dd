import {
  describeFinding,
  MANAGED_KEY_BACKENDS,
  validate,
  type FieldValues,
  type ManagedKeyTypeName,
} from '../../../src/model';

/** The smallest valid configuration of each backend. */
export const LEAST: Readonly<Record<ManagedKeyTypeName, FieldValues>> = {
  pkcs11: { name: 'k', library: 'hsm', key_label: 'k', mechanism: '0x0001', pin: '1234', slot: '5' },
  awskms: { name: 'k', kms_key: 'alias/k', key_type: 'RSA', key_bits: 2048 },
  azurekeyvault: { name: 'k', tenant_id: 't', vault_name: 'v', key_name: 'k', key_type: 'RSA-HSM' },
  gcpckms: { name: 'k', key_ring: 'r', crypto_key: 'k', algorithm: 'EC_SIGN_P256_SHA256' },
};

/**
 * Returns the findings on the smallest configuration of a backend with some fields changed, one
 * line each.
 */
export function linesOf(type: ManagedKeyTypeName, changes: FieldValues): readonly string[] {
  const { definition } = MANAGED_KEY_BACKENDS[type];
  return validate(definition, { ...LEAST[type], ...changes }).map(
    (finding) => `${finding.severity}: ${describeFinding(definition, 'k', finding).line}`,
  );
}
