import type { ObjectsOfProvider } from '../objects';
import { dynamicFilterDataSource } from './dynamic-filter';
import { pathsFilterResource } from './paths-filter';
import { replicationPrimaryResource } from './primary/resource';
import { publicKeyEphemeralResource } from './public-key';
import { secondaryTokenEphemeralResource } from './secondary-token';
import { replicationSecondaryResource } from './secondary/resource';
import { replicationSetResource } from './set';
import { replicationStatusDataSource } from './status';

/** What the provider has for performance replication: `/sys/replication/performance`. */
export const REPLICATION: ObjectsOfProvider = {
  resources: [
    replicationPrimaryResource,
    replicationSecondaryResource,
    pathsFilterResource,
    replicationSetResource,
  ],
  dataSources: [replicationStatusDataSource, dynamicFilterDataSource],
  ephemeralResources: [secondaryTokenEphemeralResource, publicKeyEphemeralResource],
};
