import type { TerraformProvider, TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { objectTitle } from '../../../src/model';
import { setLaterArguments } from '../../clusters/private/later-arguments';
import { asArguments } from '../../private/arguments';
import { UpstreamSnapshot, type RaftSnapshotAgentConfigConfig } from '../../private/bindings';
import { secretsWouldBeStored } from '../../private/messages';
import { refuseConstruct } from '../../private/report';
import type { SnapshotStorage } from '../snapshot-storage';

/** Returns the resource of `hashicorp/vault`. Secrets that it would store are refused. */
export function upstreamSnapshot(
  construct: Construct,
  config: Omit<RaftSnapshotAgentConfigConfig, 'storageType'> & { readonly provider: TerraformProvider },
  { _type: { type }, _settings: { definition, fields, secrets, secretsVersion } }: SnapshotStorage,
): TerraformResource {
  const { aws_secret_access_key: secretKey, ...others } = secrets;
  const stored = Object.keys(others).filter((name) => others[name] !== undefined);
  refuseConstruct(construct, secretsWouldBeStored(objectTitle(definition, config.name), stored));

  const resource = new UpstreamSnapshot(construct, 'Resource', {
    ...config,
    storageType: type,
    ...asArguments(fields),
  });
  setLaterArguments(resource, {
    ...fields,
    ...(secretKey !== undefined && {
      aws_secret_access_key_wo: secretKey,
      secrets_wo_version: secretsVersion,
    }),
  });
  return resource;
}
