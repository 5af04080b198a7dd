import { secretFields, type FieldValues, type ObjectDefinition } from '../../../model';
import type { AttributeValues } from '../values';
import { versionName, writeOnlyName } from './attributes';

/**
 * The values of an object's fields by the model's names: each secret from whichever attribute gives
 * it.
 */
export function withSecrets(
  definition: Pick<ObjectDefinition, 'fields'>,
  config: AttributeValues,
): FieldValues {
  const secrets = secretFields(definition).map((field) => [field, config[givenBy(config, field)]] as const);
  return { ...config, ...Object.fromEntries<unknown>(secrets) };
}

/**
 * Returns the values to write for a plan. Write-only secrets come from the configuration. All
 * others come from the plan, since Terraform may ignore changes of the configuration.
 */
export function withWriteOnly(
  definition: Pick<ObjectDefinition, 'fields'>,
  plan: AttributeValues,
  config: AttributeValues,
): AttributeValues {
  const names = secretFields(definition).map(writeOnlyName);
  return { ...plan, ...Object.fromEntries(names.map((name) => [name, config[name] ?? null])) };
}

/** The attribute that a configuration gives a secret by. */
export function givenBy(config: AttributeValues, field: string): string {
  const writeOnly = writeOnlyName(field);
  return (config[writeOnly] ?? null) === null ? field : writeOnly;
}

/**
 * Whether a configuration has the version of a secret without the secret, as Terraform generates
 * it: the secret is the one that the server holds.
 */
export function isLeftToServer(config: AttributeValues, field: string): boolean {
  const [stored, writeOnly, version] = [field, writeOnlyName(field), versionName(field)].map(
    (name) => config[name] ?? null,
  );
  return stored === null && writeOnly === null && version !== null;
}

/**
 * Returns the attributes of secrets in a state from the earlier ones: the server's secrets are
 * never stored. They are null without an earlier state, or if somebody else may have changed the
 * secrets, so that the next plan writes those of the configuration again.
 */
export function storedSecrets(
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
 * The version that an imported secret has: a configuration that begins with it takes over what the
 * server holds.
 */
const IMPORTED_VERSION = 1;

/** The values for secrets in the state of an imported object. */
export function importedSecrets(held: readonly string[]): AttributeValues {
  return Object.fromEntries(held.map((field) => [versionName(field), IMPORTED_VERSION]));
}
