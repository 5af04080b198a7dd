export { secretAttributes, secretChoice, versionName, writeOnlyName } from './attributes';
export { reportSecrets, reportVersions } from './validate';
export { givenBy, importedSecrets, storedSecrets, withSecrets, withWriteOnly } from './values';
