export { backendOfType, type BackedObject, type Backend } from './backends';
export { stringSet } from './coerce';
export { describeFinding, objectTitle, type FindingText } from './describe';
export type {
  Edition,
  Field,
  Fields,
  FieldType,
  FieldValues,
  Finding,
  ObjectDefinition,
  Rule,
  TextPosition,
} from './field';
export { nameField, secretFields } from './parts';
export { differingFields, emptyValue, sameMeaning } from './same-meaning';
export type { WrittenValuesOf } from './typed-values';
export { validate } from './validate';
