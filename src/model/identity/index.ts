export { formatImportId, ImportIdError, type ObjectIdentity, parseImportId } from './import-id';
export { namespacePathProblem, RESERVED_NAMESPACE_NAMES } from './namespace-path';
export { MAX_NAMESPACE_DEPTH, MAX_NAMESPACES, namespacePrefix, normalizeNamespace } from './namespace-path';
