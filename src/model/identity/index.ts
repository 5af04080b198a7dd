export { formatImportId, ImportIdError, parseImportId, type ObjectIdentity } from './import-id';
export { namespacePrefix, normalizeNamespace } from './namespace';
export { policyText, policyTextForWrite, samePolicyText } from './policy-text';
