export { dataSourceFields, resourceFields } from './attributes';
export {
  backedAttributes,
  backedBlocks,
  backedShown,
  backedShownAttributes,
  backedState,
  backendIn,
  backendsIn,
  blocksWithNames,
  describeBlocks,
  flatten,
  givenIn,
  plannedBackend,
  reportBackedVersions,
  secretsIn,
  secretsLeftOut,
  validateBacked,
  type StoredFields,
} from './backends';
export { storedDataSource } from './data-source';
export { reportFindings } from './report-findings';
export { importedIdentity, importedObject } from './import';
export { LIST_ATTRIBUTES, listDataSource, listDescription, listObjects, type ListedKind } from './list';
export { refuseLaterFields } from './later-fields';
export { memberListResource, storedListResource } from './list-resource';
export {
  ACTION_LOCATION,
  ACTION_ON_CLUSTER,
  CLUSTER_DESCRIPTION,
  DATA_SOURCE_LOCATION,
  RESOURCE_LOCATION,
} from './location';
export {
  callFailed,
  howToImport,
  nothingToImport,
  nothingToRead,
  onCluster,
  serverWarns,
  upperFirst,
} from './messages';
export { perRun, type TerraformRun } from './per-run';
export { identificationOf, type Identification } from './identification';
export { request, type RequestContext } from './request';
export {
  reportSecrets,
  reportVersions,
  secretsForState,
  versionName,
  withSecrets,
  writeOnlyName,
} from './secrets';
export { callsOn, storedObject, StoredObject, type StoredKind } from './stored-object';
export type { ObjectChange, ObjectsOfProvider, ResourceKind } from './resource-kind';
export { storedResource } from './stored-resource';
export { serverErrorOf } from './server-error';
export { subjectOf, type ObjectSubject, type Subject } from './subject';
export { fieldsIn, nameIn, objectIn, textIn, titleIn, valuesOf, type AttributeValues } from './values';
