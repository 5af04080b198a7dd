import {
  RaftSnapshotAgentConfig,
  type RaftSnapshotAgentConfigConfig,
} from '@cdktf/provider-vault/lib/raft-snapshot-agent-config';
import type { TerraformProvider, TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { objectTitle, type FieldValues } from '../../../src/model';
import { LATER_ARGUMENTS, setLaterArguments } from '../../clusters/private/later-arguments';
import { asArguments } from '../../private/arguments';
import { FLAVOUR } from '../../private/flavour';
import { packageThatDoesNotStore } from '../../private/flavour/others';
import { ephemeralCannotBeStored } from '../../private/messages';
import { code, field, phrase, property } from '../../../src/model/messages';
import { warn } from '../../private/report';
import { forStoredArgument } from '../../private/secret-variable';
import type { SnapshotStorage } from '../snapshot-storage';

/**
 * The resource of `hashicorp/vault`, with a warning where it stores secrets.
 *
 * @throws Error for secrets that cannot be stored.
 */
export function upstreamSnapshot(
  construct: Construct,
  config: Omit<RaftSnapshotAgentConfigConfig, 'storageType'> & { readonly provider: TerraformProvider },
  { _type: { type }, _settings: { definition, fields, secrets: given, secretsVersion } }: SnapshotStorage,
): TerraformResource {
  const title = objectTitle(definition, config.name);
  const cure = phrase`set ${property('resourceProvider', code('ResourceProvider.VAULTADMIN'))} on the VaultCluster, whose
    resource writes secrets without storing them`;
  const secrets = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, unstored: FLAVOUR.writeOnlySecrets[name] }],
  );
  const stored = secrets
    .filter(({ unstored }) => unstored === undefined)
    .map(({ name, value }) => [name, forStoredArgument(value)] as const);
  const unstored = secrets.flatMap(({ unstored: name, value }) => (name ? [[name, value] as const] : []));

  for (const [name, value] of stored) {
    if (value.includes('${ephemeral.')) {
      throw ephemeralCannotBeStored(construct, title, field(name), cure, packageThatDoesNotStore(name));
    }
    warn(
      construct,
      phrase`${title}: ${field(name)} is stored in plain text, in the state and in plans, by
        vault_raft_snapshot_agent_config; ${cure}`,
    );
  }

  const settings = { ...fields, ...Object.fromEntries(stored) };
  const resource = new RaftSnapshotAgentConfig(construct, 'Resource', {
    ...config,
    storageType: type,
    ...asArguments(settings),
  });
  setLaterArguments(resource, {
    ...pick(settings, LATER_ARGUMENTS),
    ...Object.fromEntries(unstored),
    ...(unstored.length > 0 && { secrets_wo_version: secretsVersion }),
  });
  return resource;
}

function pick(settings: FieldValues, names: readonly string[]): FieldValues {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}
