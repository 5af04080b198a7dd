export { describeField } from './describe-field';
export { defaultsOf, fieldAttributes, optionalAttributes } from './typed-fields';
