import { defineProvider, type Provider } from '../plugin';
import { Clusters } from './clusters';
import { CONFIGURATION_SCHEMA, resolveConfiguration } from './configuration';
import { PROVIDER_NAME, PROVIDER_VERSION } from './about';
import { checkTerraformVersion } from './check-terraform-version';
import { AUDIT_DEVICES } from './audit-devices';
import { AUTO_SNAPSHOTS } from './auto-snapshots';
import { watched } from './lock-out/watch';
import { MANAGED_KEYS } from './managed-keys';
import type { ObjectsOfProvider } from './objects';
import { POLICIES } from './policies';
import { REPLICATION } from './replication';

/** Everything that the provider has, by folder. */
const PARTS: readonly ObjectsOfProvider[] = [
  POLICIES,
  AUTO_SNAPSHOTS,
  AUDIT_DEVICES,
  MANAGED_KEYS,
  REPLICATION,
];

/** The Terraform provider `vaultadmin`. */
export const PROVIDER: Provider = defineProvider({
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

  resources: PARTS.flatMap(({ resources }) => resources).map(watched),
  dataSources: PARTS.flatMap(({ dataSources }) => dataSources),
  ephemeralResources: PARTS.flatMap(({ ephemeralResources = [] }) => ephemeralResources),
});
