export { parseHcl, type Body, type ConfigBlock } from './configuration/hcl';
export { loadImports, ParsedFiles } from './configuration/load-imports';
export { policiesOf, readPolicyConfiguration } from './configuration/read-policy-configuration';
export { type Level, type TestConfiguration } from './configuration/test-configuration';
export { findPolicies, type PolicyFile } from './find-policies';
export { isTextFault, runTests, type CaseResult, type PolicyResult } from './run-tests';
export { renderTrace, reportTrace, type ReportedRule } from '../evaluate/trace';
export { showTraced } from '../values/show';
export { toHost } from '../values/host';
