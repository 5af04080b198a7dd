export {
  formatImportId,
  ImportIdError,
  namespacePrefix,
  normalizeNamespace,
  type ObjectIdentity,
  parseImportId,
} from './import-id';
export { policyText, policyTextForWrite } from './policy-text';
