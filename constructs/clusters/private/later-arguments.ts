import type { TerraformResource } from 'cdktf';
import { requireUpstream } from './upstream-provider';

/** Arguments that hashicorp/vault has in later versions than the oldest that is asked for, by the version that was the first. */
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

/** Sets those of the arguments that have a value, which the bindings may not know, and asks for a provider that has them. */
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
