export { namesReadIn, type NamesRead } from './ast/within';
export type { File } from './ast/nodes';
export { parse } from './parser/parse';
export { evaluate, type EvaluateOptions, type ImportSource, type Outcome } from './evaluate/evaluate';
export { cutList, cutText, docComment, fileDescription, renderTrace, sortedRules } from './evaluate/trace';
export { check } from './check/check';
export { faultsOf } from './check/faults';
export { describeFinding, type SentinelFinding } from './source/errors';
export {
  ANY_KEY,
  isMapShape,
  typeOfShape,
  Words,
  type ComparisonDoubt,
  type PolicyEnvironment,
  type Shape,
} from './check/shape';
export { staticFaults } from './evaluate/static-faults';
export { newerFeatures, type LanguageVersion } from './language/features';
export { format } from './format/format';
export { STANDARD_IMPORT_NAMES } from './imports/names';
export { HttpFailure, type HttpRequest, type HttpResponse, type HttpSender } from './imports/http';
export { parseInstant } from './imports/time';
export { parseJson } from './imports/json';
export { MapValue, NativeFault, Undefined, type Value } from './values/value';
export { copy, fromHost, toHost } from './values/host';
export { show, showTraced } from './values/show';
export {
  SentinelCheckError,
  SentinelError,
  SentinelLimitError,
  SentinelRuntimeError,
  SentinelSyntaxError,
} from './source/errors';
