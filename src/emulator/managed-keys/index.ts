export { managedKeyActions } from './control';
export { KeyOperations } from './key-operations';
export { KeyStores } from './key-stores';
export type { KeyTests } from './key-tests';
export { managedKeyRoutes } from './managed-key-routes';
export { ManagedKeyStore } from './store';
