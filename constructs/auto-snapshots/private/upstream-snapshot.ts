import {
  RaftSnapshotAgentConfig,
  type RaftSnapshotAgentConfigConfig,
} from '@cdktf/provider-vault/lib/raft-snapshot-agent-config';
import { Annotations, type TerraformProvider, type TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { objectTitle } from '../../../src/model';
import { requireUpstream } from '../../clusters/private/upstream-provider';
import { asArguments } from '../../private/arguments';
import { ephemeralCannotBeStored } from '../../private/messages';
import { propName } from '../../private/prop-names';
import { forStoredArgument } from '../../private/secret-variable';
import type { SnapshotStorage } from '../snapshot-storage';

/** Arguments that the provider has in later versions, and the bindings do not know yet. */
const LATER_ARGUMENTS = ['autoload_enabled', 'azure_auth_mode', 'azure_client_id'];
const LATER_VERSIONS = '~> 5.8';

/**
 * The resource of `hashicorp/vault`, with a warning where it stores secrets.
 *
 * @throws Error for secrets that cannot be stored.
 */
export function upstreamSnapshot(
  construct: Construct,
  config: Omit<RaftSnapshotAgentConfigConfig, 'storageType'> & { readonly provider: TerraformProvider },
  { _type: { type }, _settings: { definition, fields, secrets: given } }: SnapshotStorage,
): TerraformResource {
  const secrets = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, forStoredArgument(value)] as const],
  );
  const title = objectTitle(definition, config.name);
  const cure =
    'set resources: VaultResources.VAULTADMIN on the VaultCluster, whose resource writes secrets without storing them';

  for (const [name, value] of secrets) {
    if (value.includes('${ephemeral.')) throw ephemeralCannotBeStored(construct, title, propName(name), cure);
    Annotations.of(construct).addWarning(
      `${title}: ${propName(name)} is stored in plain text, in the state and in plans, by vault_raft_snapshot_agent_config; ${cure}`,
    );
  }

  const resource = new RaftSnapshotAgentConfig(construct, 'Resource', {
    ...config,
    storageType: type,
    ...asArguments({ ...fields, ...Object.fromEntries(secrets) }),
  });
  const later = LATER_ARGUMENTS.filter((name) => fields[name] !== undefined);
  for (const name of later) resource.addOverride(name, fields[name]);
  if (later.length > 0) requireUpstream(config.provider, LATER_VERSIONS);
  return resource;
}
