export { parse } from './parser/parse';
export { evaluate, type EvaluateOptions, type ImportSource, type Outcome } from './evaluate/evaluate';
export { staticFaults } from './check/static-faults';
export {
  SentinelError,
  SentinelSyntaxError,
  SentinelCheckError,
  SentinelRuntimeError,
  SentinelLimitError,
} from './errors';
