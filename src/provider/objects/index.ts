export { dataSourceFields, describeField, resourceBlock, resourceFields } from './attributes';
export { isUnconfirmed, refuseExisting, writeNew, type Creation } from './create';
export { storedDataSource } from './data-source';
export { callFailed } from './failures';
export { reportFindings } from './findings';
export { importedIdentity, importedObject } from './import';
export { LIST_ATTRIBUTES, listDataSource, listDescription, listObjects, type ListedKind } from './list';
export {
  DATA_SOURCE_LOCATION,
  identityOf,
  locationOf,
  resourceIdentity,
  RESOURCE_LOCATION,
} from './location';
export {
  existsAlready,
  howToTakeOver,
  nothingToImport,
  nothingToRead,
  onCluster,
  type Message,
} from './messages';
export { placingOf, type Placing } from './placing';
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
export { defaultsOf, fieldAttributes, type FieldAttributes } from './typed-fields';
export { callsOn, StoredObject, subjectOf, type ObjectCalls, type ObjectSubject } from './stored-object';
export {
  storedResource,
  type Change,
  type ObjectsOfProvider,
  type ResourceKind,
  type Special,
} from './stored-resource';
export { objectIn, textIn, type Values } from './values';
