import { sameMeaning, type Field, type FieldValues } from '../../../model';
import { propName } from '../../../model/messages';
import { CodeExpression, type CodeProperties, type CodeValue } from '../app/code';
import type { SecretVariables } from '../app/declaration';
import { memberName } from '../app/names';

/** The fields whose values are members of enumerations of the constructs. */
const ENUMERATIONS: Readonly<Record<string, string>> = {
  algorithm: 'GcpSignatureAlgorithm',
  azure_auth_mode: 'AzureAuthMode',
  curve: 'KeyCurve',
  encryption_mode: 'AzureEncryptionMode',
  format: 'AuditFormat',
  rsa_oaep_hash: 'RsaOaepHash',
  socket_type: 'AuditSocketType',
  usages: 'ManagedKeyUsage',
};

interface PropsOptions {
  /** Functions that write the values of certain fields as code, by the names of the fields. */
  readonly written?: Readonly<Record<string, (value: unknown) => CodeValue>>;
  /** Returns the name of a field's prop. Default: the name in the constructs. */
  readonly toName?: (field: string) => string;
}

/**
 * Returns fields as props. Fields with their defaults, or with only one possible value, are left
 * out.
 */
export function propsOf(
  definitions: Readonly<Record<string, Field>>,
  fields: FieldValues,
  { written = {}, toName = propName }: PropsOptions = {},
): CodeProperties {
  const given = Object.entries(definitions).filter(
    ([name, field]) =>
      !field.identity && !isOnlyChoice(field) && !sameMeaning(field, fields[name], undefined),
  );
  const valueOf = (name: string): CodeValue => {
    const enumeration = ENUMERATIONS[name];
    if (enumeration !== undefined) return members(enumeration, fields[name]);
    return written[name]?.(fields[name]) ?? (fields[name] as CodeValue);
  };
  return Object.fromEntries(given.map(([name]) => [toName(name), valueOf(name)]));
}

/**
 * Whether a field has only one possible value, so that it is not a property: the type of a key in
 * Azure.
 */
function isOnlyChoice({ required, allowed }: Field): boolean {
  return required === true && allowed?.length === 1;
}

/** Returns values as members of an enumeration of the constructs: `KeyCurve.P256`. */
function members(enumeration: string, value: unknown): CodeValue {
  const member = (one: unknown) => CodeExpression.member(enumeration, memberName(String(one)));
  return Array.isArray(value) ? value.map(member) : member(value);
}

/** Returns secrets that a server holds as props: each refers to a variable of the app. */
export function secretProps(variables: SecretVariables): CodeProperties {
  return Object.fromEntries(
    Object.entries(variables).map(([field, variable]) => [
      propName(field),
      CodeExpression.call('VaultSecret', 'fromOptionalVariable', variable),
    ]),
  );
}
