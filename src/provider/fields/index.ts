export { reportTimeouts, timeoutOf, timeoutsBlock } from './timeouts';
export {
  defaultsOf,
  describeField,
  describeReadField,
  fieldAttributes,
  optionalAttributes,
  TYPES,
} from './typed-fields';
