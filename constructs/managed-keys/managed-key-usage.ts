/** What a managed key may be used for. Interface section 2.1. */
export enum ManagedKeyUsage {
  ENCRYPT = 'encrypt',
  DECRYPT = 'decrypt',
  SIGN = 'sign',
  VERIFY = 'verify',
  WRAP = 'wrap',
  UNWRAP = 'unwrap',
  MAC = 'mac',
  /** Random bytes, which servers also call `generate_random`. */
  RANDOM = 'random',
}
