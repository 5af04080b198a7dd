import { secretFields, type FieldValues, type ObjectDefinition } from '../../../model';
import type { AttributeValues } from '../values';
import { versionName, writeOnlyName } from './attributes';

/**
 * Returns the values of an object's fields by the model's names, with each secret from the
 * attribute that sets it.
 */
export function withSecrets(
  definition: Pick<ObjectDefinition, 'fields'>,
  config: AttributeValues,
): FieldValues {
  const secrets = secretFields(definition).map((field) => [field, config[givenBy(config, field)]] as const);
  return { ...config, ...Object.fromEntries<unknown>(secrets) };
}

/**
 * Returns the values to write for a plan. Write-only secrets come from the configuration. All other
 * values come from the plan, because `ignore_changes` may keep them different from the
 * configuration.
 */
export function withWriteOnly(
  definition: Pick<ObjectDefinition, 'fields'>,
  plan: AttributeValues,
  config: AttributeValues,
): AttributeValues {
  const names = secretFields(definition).map(writeOnlyName);
  return { ...plan, ...Object.fromEntries(names.map((name) => [name, config[name] ?? null])) };
}

/** Returns the attribute that sets a secret in a configuration. */
export function givenBy(config: AttributeValues, field: string): string {
  const writeOnly = writeOnlyName(field);
  return (config[writeOnly] ?? null) === null ? field : writeOnly;
}

/**
 * Whether a configuration has the version of a secret without the secret, as in a configuration
 * that Terraform generates. The server's secret is then kept.
 */
export function isLeftToServer(config: AttributeValues, field: string): boolean {
  const [stored, writeOnly, version] = [field, writeOnlyName(field), versionName(field)].map(
    (name) => config[name] ?? null,
  );
  return stored === null && writeOnly === null && version !== null;
}

/**
 * Returns the attributes of secrets for the state, from the earlier state: the server's secrets are
 * never stored. An attribute is null if the earlier state lacks it, or if somebody else may have
 * changed the secret. The next plan then writes the secret of the configuration again.
 */
export function secretsForState(
  definition: Pick<ObjectDefinition, 'fields'>,
  prior: AttributeValues = {},
): AttributeValues {
  const attributes = secretFields(definition).flatMap((field) => [
    [field, prior[field] ?? null] as const,
    [writeOnlyName(field), null] as const,
    [versionName(field), prior[versionName(field)] ?? null] as const,
  ]);
  return Object.fromEntries(attributes);
}

/**
 * The version of an imported secret. A configuration with this version, and without the secret,
 * keeps the server's secret.
 */
const IMPORTED_VERSION = 1;

/** Returns the attributes of secrets for the state of an imported object. */
export function importedSecrets(secrets: readonly string[]): AttributeValues {
  return Object.fromEntries(secrets.map((field) => [versionName(field), IMPORTED_VERSION]));
}
