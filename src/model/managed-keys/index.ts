export { isAwsAlias } from './awskms';
export {
  differingManagedKeyFields,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  managedKeyBackendOf,
  type ManagedKeyValues,
} from './managed-key';
export { GCP_ALGORITHMS, type GcpAlgorithm } from './gcpckms';
export {
  HASH_ALGORITHMS,
  KEY_CURVES,
  RSA_KEY_BITS,
  type HashAlgorithm,
  type KeyCurve,
  type KeySpec,
} from './key-spec';
export { MANAGED_KEY_TYPES, type ManagedKeyBackend, type ManagedKeyTypeName } from './managed-key-backend';
export { MECHANISMS, findMechanism, mechanismNumber, mechanismText, type Mechanism } from './mechanisms';
export { notRedactedRules } from './redacted';
export { TEST_SIGN, validateTestSign } from './test-sign';
export { DEFAULT_KEY_USAGES, KEY_USAGES, normalizeKeyUsages, parseKeyUsage, type KeyUsage } from './usages';
export { USAGE_NAMES_SINCE, type UsagesAs } from './value-forms';
export {
  UNSUPPORTED_MANAGED_KEY_TYPE,
  decodeManagedKey,
  encodeManagedKey,
  normalizeManagedKey,
  showManagedKey,
  type StoredManagedKey,
} from './wire';
