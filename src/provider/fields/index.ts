export {
  defaultsOf,
  describeField,
  describeReadField,
  fieldAttributes,
  optionalAttributes,
  TYPES,
} from './typed-fields';
