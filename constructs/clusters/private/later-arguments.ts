import type { TerraformResource } from 'cdktf';
import { requireUpstream } from './upstream-provider';

/**
 * The arguments of hashicorp/vault that later versions added, after the oldest one required, by the
 * first version.
 */
const SINCE = {
  allow_overwrite: 10,
  autoload_enabled: 8,
  aws_secret_access_key_wo: 10,
  azure_auth_mode: 8,
  azure_client_id: 8,
  secrets_wo_version: 10,
} as const;

type LaterArgument = keyof typeof SINCE;

export const LATER_ARGUMENTS = Object.keys(SINCE) as readonly LaterArgument[];

/**
 * Sets the arguments that have a value, even if the bindings do not know them, and requires a
 * provider that has them.
 */
export function setLaterArguments(
  resource: TerraformResource,
  values: Readonly<Partial<Record<LaterArgument, unknown>>>,
): void {
  for (const name of LATER_ARGUMENTS) {
    if (values[name] === undefined) continue;
    resource.addOverride(name, values[name]);
    requireUpstream(resource.provider!, SINCE[name]);
  }
}
