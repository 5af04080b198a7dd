export { dataSourceFields, describeField, resourceBlock, resourceFields } from './attributes';
export { isUnconfirmed, refuseExisting, writeNew, type Creation } from './create';
export { callFailed } from './failures';
export { reportFindings } from './findings';
export { importedIdentity, importedObject } from './import';
export { listAttributes, listDataSource, listDescription, listObjects, type ListedKind } from './list';
export { dataSourceLocation, identityOf, locationOf, resourceIdentity, resourceLocation } from './location';
export {
  existsAlready,
  howToTakeOver,
  nothingToImport,
  nothingToRead,
  onCluster,
  type Message,
} from './messages';
export { blocksIn, reportChoice, type Choice } from './one-block';
export { request, type RequestContext, type Subject } from './request';
export {
  importedSecrets,
  reportSecrets,
  secretFields,
  storedSecrets,
  versionName,
  withSecrets,
  withWriteOnly,
  writeOnlyName,
} from './secrets';
export { callsOn, StoredObject, subjectOf, type ObjectCalls, type ObjectSubject } from './stored-object';
