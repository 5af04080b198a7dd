export type { Assumption, RefusalWords } from './assumption';
export {
  type AlternativeName,
  type AlternativeOf,
  type Assume,
  type Assuming,
  ASSUMPTIONS,
  ASSUMPTIONS_BY_TOPIC,
  Assumed,
  type AssumptionName,
  checkedChoice,
  firstOf,
  type RefusalArguments,
  type RefusalName,
} from './assumed';
export type { Measured } from './measured';
export { readReport, REPORT_FORMAT, type ReportedFinding, type VerifyReport } from './verify-report';
