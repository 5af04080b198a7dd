export { defaultsOf, describeField, fieldAttributes, optionalAttributes } from './typed-fields';
