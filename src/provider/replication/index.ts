export { dynamicFilterDataSource } from './dynamic-filter';
export { pathsFilterResource } from './paths-filter';
export { replicationPrimaryResource } from './primary/resource';
export { publicKeyEphemeralResource } from './public-key';
export { secondaryTokenEphemeralResource } from './secondary-token';
export { replicationSecondaryResource } from './secondary/resource';
export { replicationSetResource } from './set';
export { replicationStatusDataSource } from './status';
