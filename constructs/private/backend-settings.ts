import type { FieldValues, ObjectDefinition } from '../../src/model';
import { asArguments } from './arguments';
import type { LateProp } from './late-values';

/** What a construct was given about the service behind an object, by the names of the model's fields. */
export interface BackendSettings {
  /** Of the object as a whole, with this service behind it. */
  readonly definition: ObjectDefinition;
  readonly fields: FieldValues;
  readonly secrets: Readonly<Record<string, string | undefined>>;
  /** The properties that Terraform has to check, since it alone knows the values. */
  readonly late: readonly LateProp[];
  /** A change makes Terraform write the secrets again. */
  readonly secretsVersion: number;
}

/** The block of a `vaultadmin` resource for the service: secrets are write-only in it, and so in need of a version. */
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
