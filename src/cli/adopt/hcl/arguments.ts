import {
  formatDuration,
  nameField,
  sameMeaning,
  type Field,
  type FieldValues,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../../model';
import { versionName, writeOnlyName } from '../../../provider/objects';
import { HclExpression, type HclBody, type HclValue } from './hcl';

/** Returns the arguments that locate and name the object of a resource. */
export function placeArguments(definition: ObjectDefinition, identity: ObjectIdentity): HclBody {
  const { cluster, namespace, name } = identity;
  return { cluster, namespace: namespace || undefined, [nameField(definition)]: name };
}

/**
 * Returns fields as arguments: required ones first, as in the reference. Fields with their defaults
 * are left out.
 */
export function fieldArguments(
  definitions: Readonly<Record<string, Field>>,
  fields: FieldValues,
): Readonly<Record<string, HclValue>> {
  const given = Object.entries(definitions).filter(
    ([name, field]) =>
      !field.identity &&
      !field.sensitive &&
      (field.required ? (fields[name] ?? null) !== null : !sameMeaning(field, fields[name], undefined)),
  );
  const isRequired = ([, { required }]: (typeof given)[number]) => required === true;
  const sorted = [...given.filter(isRequired), ...given.filter((each) => !isRequired(each))];
  return Object.fromEntries(sorted.map(([name, field]) => [name, inTerraform(field, fields[name])]));
}

/**
 * Returns a value as Terraform writes it: durations are texts there, although servers return
 * seconds.
 */
function inTerraform({ type }: Field, value: unknown): HclValue {
  return type === 'duration' && typeof value === 'number' ? shortDuration(value) : (value as HclValue);
}

/** Returns a duration as people write it: `24h`, where servers write `24h0m0s`. */
function shortDuration(seconds: number): string {
  return formatDuration(seconds)
    .replace(/(?<=m)0s$/, '')
    .replace(/(?<=h)0m$/, '');
}

/**
 * Returns secrets as write-only arguments, which no state contains. Version 1 stands for the secret
 * that the server holds.
 *
 * @param variables the Terraform variables by the fields whose values they are.
 */
export function secretArguments(variables: Readonly<Record<string, string>>): HclBody {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([field, variable]): [string, HclValue][] => [
      [writeOnlyName(field), new HclExpression(`var.${variable}`)],
      [versionName(field), 1],
    ]),
  );
}
