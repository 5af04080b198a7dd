export { formatImportId, ImportIdError, type ObjectIdentity, parseImportId } from './import-id';
export { namespacePathProblem, RESERVED_NAMESPACE_NAMES } from './namespace-path';
export { namespacePrefix, normalizeNamespace } from './namespaces';
export { policyText, policyTextForWrite } from './policy-text';
