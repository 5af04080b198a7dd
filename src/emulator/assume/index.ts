export type { Assumption, RefusalWords } from './assumption';
export {
  type AlternativeOf,
  type Assume,
  type Assuming,
  ASSUMPTIONS,
  ASSUMPTIONS_BY_TOPIC,
  Assumed,
  type AssumptionName,
  checkedChoice,
  type RefusalArguments,
  type RefusalName,
} from './assumed';
