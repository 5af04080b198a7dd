import type { FieldValues, ObjectDefinition } from '../../src/model';
import { asArguments } from './arguments';
import type { LateProp } from './late-values';

/** The settings of a construct for its backend, by the names of the model's fields. */
export interface BackendSettings {
  /** The definition of the whole object, with this backend. */
  readonly definition: ObjectDefinition;
  readonly fields: FieldValues;
  readonly secrets: Readonly<Record<string, string | undefined>>;
  /** The properties that Terraform has to check, because only Terraform knows their values. */
  readonly late: readonly LateProp[];
  /** The version of the secrets: a change makes Terraform write them again. */
  readonly secretsVersion: number;
}

/**
 * Returns the block of a `vaultadmin` resource for the backend. Its secrets are write-only, so they
 * need a version.
 */
export function blockArguments({
  fields,
  secrets,
  secretsVersion,
}: BackendSettings): Record<string, unknown> {
  const writeOnly: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(secrets)) {
    if (value === undefined) continue;
    writeOnly[`${name}_wo`] = value;
    writeOnly[`${name}_wo_version`] = secretsVersion;
  }
  return asArguments({ ...fields, ...writeOnly });
}
