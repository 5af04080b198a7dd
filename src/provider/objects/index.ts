export { dataSourceFields, resourceFields } from './attributes';
export { reportFindings } from './findings';
export { importedObject } from './import';
export { dataSourceLocation, identityOf, locationOf, resourceIdentity, resourceLocation } from './location';
export { request, type RequestContext } from './request';
