export { findPolicies, findTexts, type PolicyFile } from './find-policies';
export {
  isTextFault,
  runTests,
  type Assertion,
  type CaseResult,
  type PolicyResult,
  type TestOptions,
} from './run-tests';
export { renderTrace } from '../evaluate/trace';
export { showQuoted } from '../values/show';
export { toHost } from '../values/host';
