import { sameMeaning, type Field, type FieldValues } from '../../../model';
import { propName } from '../../../model/messages';
import { CodeExpression, type CodeProperties, type CodeValue } from '../app/code';
import type { SecretVariables } from '../app/declaration';
import { memberName } from '../app/names';

interface PropsOptions {
  /** How the value of a field is written. Default: as it is. */
  readonly toValue?: (name: string, value: unknown) => CodeValue;
  /** The name of a field's prop. Default: as in the constructs. */
  readonly toName?: (field: string) => string;
}

/** Fields as props, without those that hold their defaults or have only one possible value. */
export function propsOf(
  definitions: Readonly<Record<string, Field>>,
  fields: FieldValues,
  { toValue = (_name, value) => value as CodeValue, toName = propName }: PropsOptions = {},
): CodeProperties {
  const given = Object.entries(definitions).filter(
    ([name, field]) =>
      !field.identity && !isOnlyChoice(field) && !sameMeaning(field, fields[name], undefined),
  );
  return Object.fromEntries(given.map(([name]) => [toName(name), toValue(name, fields[name])]));
}

/** The type of a key in Azure, for example, is not a property. */
function isOnlyChoice({ required, allowed }: Field): boolean {
  return required === true && allowed?.length === 1;
}

/** Values as members of an enumeration of the constructs: `KeyCurve.P256`. */
export function members(enumeration: string, value: unknown): CodeValue {
  const member = (one: unknown) => CodeExpression.member(enumeration, memberName(String(one)));
  return Array.isArray(value) ? value.map(member) : member(value);
}

/** Secrets that a server holds as props: each refers to a variable of the app. */
export function secretProps(variables: SecretVariables): CodeProperties {
  return Object.fromEntries(
    Object.entries(variables).map(([field, variable]) => [
      propName(field),
      CodeExpression.call('VaultSecret', 'fromOptionalVariable', variable),
    ]),
  );
}
