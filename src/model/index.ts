export * from './acl';
export * from './auto-snapshots';
export * from './definition';
export * from './dialect';
export * from './durations';
export * from './identity';
export * from './policies';
export * from './replication';
