/** An elliptic curve of a managed key. Interface section 2.1. */
export enum KeyCurve {
  P256 = 'P256',
  P384 = 'P384',
  P521 = 'P521',
}
