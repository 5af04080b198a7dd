export { backendOfType, type BackedObject, type Backend } from './backends';
export { stringSet } from './coerce';
export { describeFinding, objectTitle, type FindingText } from './describe';
export {
  type Edition,
  type Field,
  type Fields,
  type FieldType,
  type FieldValues,
  type Finding,
  nameField,
  type ObjectDefinition,
  type Rule,
  secretFields,
  type TextPosition,
} from './field';
export { differingFields, emptyValue, sameMeaning } from './same-meaning';
export type { WrittenValuesOf } from './typed-values';
export { validate } from './validate';
