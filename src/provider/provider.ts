import { phrase } from '../model/messages';
import { report } from './messages';
import { defineProvider, type Provider, type Diagnostics } from '../plugin';
import { Clusters } from './clusters';
import { CONFIGURATION_SCHEMA, resolveConfiguration } from './configuration';
import { PROVIDER_NAME, PROVIDER_VERSION } from './about';
import { guarded } from './lock-out/guard';
import { PARTS } from './parts';
import { POLICIES } from './policies/policies';
import { isOlder, OLDEST_TERRAFORM } from '../model/versions';

/** The Terraform provider `vaultadmin`. */
export const PROVIDER: Provider = defineProvider({
  name: PROVIDER_NAME,
  version: PROVIDER_VERSION,
  schema: CONFIGURATION_SCHEMA,

  /** Checks the configuration without the environment, which is read when a cluster is used. */
  validate({ config }, { diagnostics }) {
    resolveConfiguration(config, {}, (message) => report(diagnostics, 'error', message));
  },

  configure({ config, terraformVersion }, { diagnostics, mask }) {
    checkTerraformVersion(terraformVersion, diagnostics);
    const clusters = resolveConfiguration(config, process.env, (message) =>
      report(diagnostics, 'error', message),
    );
    return new Clusters(clusters, { env: process.env, mask });
  },

  shutdown: (clusters) => clusters.close(),

  ...POLICIES,
  resources: POLICIES.resources.map(guarded),
  parts: PARTS,
});

/**
 * Warns of a version of Terraform or OpenTofu that is too old to keep secrets out of states.
 *
 * @param version the version that Terraform or OpenTofu reports of itself. There is no warning if
 * it is missing.
 */
function checkTerraformVersion(version: string, diagnostics: Diagnostics): void {
  if (!isOlder(version, OLDEST_TERRAFORM)) return;
  report(diagnostics, 'warning', {
    summary: `Terraform (or OpenTofu) ${version} is too old to keep secrets out of its states`,
    details: phrase`Write-only arguments, whose names end with _wo, are refused. The sensitive
      arguments that replace them are stored: in the state, and in saved plans.`,
    cures: phrase`install Terraform ${OLDEST_TERRAFORM} or OpenTofu ${OLDEST_TERRAFORM}, or newer.
      It can read the states that this version wrote`,
  });
}
