export type { Collection } from './collection';
export { KeyStoreError } from './errors';
export { generateKey, type KeyMaterial, readPrivateKey, signAndVerify } from './key-material';
export type { KeyPlace } from './key-place';
export { KeyStores } from './key-stores';
