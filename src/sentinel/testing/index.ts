export { parseHcl, type Body, type ConfigBlock } from './configuration/hcl';
export { loadImports, ParsedFiles } from './configuration/load-imports';
export { readPolicyConfiguration } from './configuration/read-policy-configuration';
export { findPolicies, type PolicyFile } from './find-policies';
export { isTextFault, runTests, type CaseResult, type PolicyResult } from './run-tests';
export { renderTrace } from '../evaluate/trace';
export { showTraced } from '../values/show';
export { toHost } from '../values/host';
