export {
  formatImportId,
  ImportIdError,
  namespacePrefix,
  normalizeNamespace,
  type ObjectIdentity,
  parseImportId,
} from './import-id';
export { namespacePathProblem } from './namespace-path';
export { policyText, policyTextForWrite } from './policy-text';
