export { NAMESPACE, NAMESPACE_SETTINGS, type NamespaceValues } from './namespace';
