export { stringSet } from './coerce';
export { describeFinding, objectTitle, type FindingText } from './describe';
export type {
  Edition,
  Field,
  FieldType,
  FieldValues,
  Finding,
  ObjectDefinition,
  Rule,
  TextPosition,
} from './field';
export { validate } from './validate';
