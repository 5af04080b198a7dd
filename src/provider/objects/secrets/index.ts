export { secretAttributes, secretFields, versionName, writeOnlyName } from './attributes';
export { reportSecrets } from './validate';
export { forgottenSecrets, givenBy, withSecrets } from './values';
