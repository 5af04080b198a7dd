import type { FieldValues, ObjectDefinition } from '../../../model';
import { secretFields, versionName, writeOnlyName } from './attributes';

type Values = Readonly<Record<string, unknown>>;

/** The values of an object's fields by the model's names: each secret from whichever attribute gives it. */
export function withSecrets(definition: Pick<ObjectDefinition, 'fields'>, config: Values): FieldValues {
  const secrets = secretFields(definition).map((field) => [field, config[givenBy(config, field)]] as const);
  return { ...config, ...Object.fromEntries<unknown>(secrets) };
}

/** The attribute that a configuration gives a secret by. */
export function givenBy(config: Values, field: string): string {
  const writeOnly = writeOnlyName(field);
  return (config[writeOnly] ?? null) === null ? field : writeOnly;
}

/**
 * What a state says of secrets that somebody else may have changed: nothing, so that the next plan has those of the
 * configuration written again.
 */
export function forgottenSecrets(
  definition: Pick<ObjectDefinition, 'fields'>,
): Readonly<Record<string, null>> {
  const names = secretFields(definition).flatMap((field) => [field, versionName(field)]);
  return Object.fromEntries(names.map((name) => [name, null]));
}
