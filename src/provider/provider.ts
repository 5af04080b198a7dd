import { defineProvider, type Provider } from '../plugin';
import { Clusters } from './clusters';
import { CONFIGURATION_SCHEMA, resolveConfiguration } from './configuration';
import { PROVIDER_NAME, PROVIDER_VERSION } from './about';
import { checkTerraformVersion } from './check-terraform-version';
import {
  autoSnapshotDataSource,
  autoSnapshotResource,
  autoSnapshotsDataSource,
  autoSnapshotStatusDataSource,
} from './auto-snapshots';
import { managedKeyDataSource, managedKeyResource, managedKeysDataSource } from './managed-keys';
import {
  aclPoliciesDataSource,
  aclPolicyDataSource,
  aclPolicyResource,
  egpPoliciesDataSource,
  egpPolicyDataSource,
  egpPolicyResource,
  rgpPoliciesDataSource,
  rgpPolicyDataSource,
  rgpPolicyResource,
} from './policies';
import {
  dynamicFilterDataSource,
  pathsFilterResource,
  publicKeyEphemeralResource,
  replicationPrimaryResource,
  replicationSecondaryResource,
  replicationSetResource,
  replicationStatusDataSource,
  secondaryTokenEphemeralResource,
} from './replication';

/** The Terraform provider `vaultadmin`. */
export const provider: Provider = defineProvider({
  name: PROVIDER_NAME,
  version: PROVIDER_VERSION,
  schema: CONFIGURATION_SCHEMA,

  /** The configuration by itself: the environment is looked at when it is used. */
  validate({ config }, { diagnostics }) {
    resolveConfiguration(config, {}, diagnostics);
  },

  configure({ config, terraformVersion }, { diagnostics, mask }) {
    checkTerraformVersion(terraformVersion, diagnostics);
    const clusters = resolveConfiguration(config, process.env, diagnostics);
    return new Clusters(clusters, { env: process.env, mask });
  },

  shutdown: (clusters) => clusters.close(),

  resources: [
    aclPolicyResource,
    rgpPolicyResource,
    egpPolicyResource,
    autoSnapshotResource,
    managedKeyResource,
    replicationPrimaryResource,
    replicationSecondaryResource,
    pathsFilterResource,
    replicationSetResource,
  ],
  dataSources: [
    aclPolicyDataSource,
    aclPoliciesDataSource,
    rgpPolicyDataSource,
    rgpPoliciesDataSource,
    egpPolicyDataSource,
    egpPoliciesDataSource,
    autoSnapshotDataSource,
    autoSnapshotsDataSource,
    autoSnapshotStatusDataSource,
    managedKeyDataSource,
    managedKeysDataSource,
    replicationStatusDataSource,
    dynamicFilterDataSource,
  ],
  ephemeralResources: [secondaryTokenEphemeralResource, publicKeyEphemeralResource],
});
