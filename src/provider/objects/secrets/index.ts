export { secretAttributes, secretChoice, versionName, writeOnlyName } from './attributes';
export { reportSecrets, reportVersions } from './validate';
export {
  givenBy,
  importedSecrets,
  isLeftToServer,
  secretsForState,
  withSecrets,
  withWriteOnly,
} from './values';
