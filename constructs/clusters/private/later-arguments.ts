import type { TerraformResource } from 'cdktf';

/** The arguments of hashicorp/vault that older bindings do not have. */
const LATER_ARGUMENTS = [
  'allow_overwrite',
  'autoload_enabled',
  'aws_secret_access_key_wo',
  'azure_auth_mode',
  'azure_client_id',
  'secrets_wo_version',
] as const;

/** Sets the arguments that have a value, even if the bindings do not have them. */
export function setLaterArguments(
  resource: TerraformResource,
  values: Readonly<Partial<Record<(typeof LATER_ARGUMENTS)[number], unknown>>>,
): void {
  for (const name of LATER_ARGUMENTS) {
    if (values[name] !== undefined) resource.addOverride(name, values[name]);
  }
}
