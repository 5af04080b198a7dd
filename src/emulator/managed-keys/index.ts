export { managedKeyActions } from './control';
export { KeyOperations } from './key-operations';
export { KeyStores } from './key-stores';
export { managedKeyRoutes } from './routes';
export { ManagedKeyStore } from './store';
