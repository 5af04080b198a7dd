import {
  findMechanism,
  formatImportId,
  MANAGED_KEY,
  sameMeaning,
  type Field,
  type FieldValues,
  type ManagedKeyTypeName,
} from '../../../model';
import type { FoundKey } from '../estate/found';
import { Expression, type Fields, type Value } from './code';
import type { Declaration, Part } from './declaration';
import { camelCase, memberName, slug, type UniqueNames } from './names';
import { resourceType } from './declaration';
import { secretVariable } from './declaration';

const FACTORIES: Readonly<Record<ManagedKeyTypeName, string>> = {
  pkcs11: 'pkcs11',
  awskms: 'awsKms',
  azurekeyvault: 'azureKeyVault',
  gcpckms: 'gcpCkms',
};

/** The fields whose values are members of enumerations. */
const ENUMERATIONS: Readonly<Record<string, string>> = {
  usages: 'ManagedKeyUsage',
  curve: 'KeyCurve',
  algorithm: 'GcpSignatureAlgorithm',
};

/** The managed keys of a cluster. */
export function keyPart(keys: readonly FoundKey[], ids: UniqueNames, variables: UniqueNames): Part {
  return {
    title: `${MANAGED_KEY.title}s`,
    declarations: keys.map((key) => declare(key, ids, variables)),
  };
}

function declare(
  { identity, type, fields, secrets }: FoundKey,
  ids: UniqueNames,
  variables: UniqueNames,
): Declaration {
  const { cluster, namespace, name } = identity;
  const references = secrets.map(
    (field) => [camelCase(field), secretVariable(identity, field, variables).reference] as const,
  );
  return {
    id: ids.take(slug('key', namespace, name)),
    construct: 'ManagedKey',
    props: {
      cluster: Expression.local('cluster'),
      namespace: namespace || undefined,
      keyName: name,
      backend: Expression.call('ManagedKeyBackend', FACTORIES[type.type], {
        ...backendProps(type, fields),
        ...Object.fromEntries(references),
      }),
      ...propsOf(MANAGED_KEY.fields, fields),
    },
    resource: resourceType(MANAGED_KEY),
    importId: formatImportId({ cluster, namespace, name: `${type.type}/${name}` }),
  };
}

/** The props of the backend. The fields about the kind of key make one `KeySpec`. */
function backendProps(type: FoundKey['type'], fields: FieldValues): Fields {
  const { keyBits, curve, ...others } = propsOf(type.fields, fields);
  const isEcc = curve !== undefined && (keyBits === undefined || type.keySpec(fields)?.family === 'ECDSA');
  return {
    ...others,
    keyType: undefined,
    keySpec: isEcc ? Expression.call('KeySpec', 'ecc', curve) : rsaSpec(keyBits),
    mechanism: typeof fields.mechanism === 'string' ? mechanismOf(fields.mechanism) : undefined,
  };
}

function rsaSpec(bits: Value | undefined): Expression | undefined {
  return bits === undefined ? undefined : Expression.call('KeySpec', 'rsa', bits);
}

function mechanismOf(text: string): Expression {
  const known = findMechanism(text);
  return known
    ? Expression.member('Pkcs11Mechanism', known.name.replace('CKM_', ''))
    : Expression.call('Pkcs11Mechanism', 'of', text);
}

/** Fields as props, without those that say no more than nothing at all. */
function propsOf(definitions: Readonly<Record<string, Field>>, fields: FieldValues): Fields {
  const given = Object.entries(definitions).filter(
    ([name, field]) =>
      !field.identity &&
      fields[name] !== undefined &&
      !isOnlyChoice(field) &&
      !sameMeaning(field, fields[name], undefined),
  );
  return Object.fromEntries(given.map(([name]) => [camelCase(name), valueOf(name, fields[name])]));
}

/** What has only one possible value is not a property: the type of a key in Azure. */
function isOnlyChoice({ required, allowed }: Field): boolean {
  return required === true && allowed?.length === 1;
}

function valueOf(name: string, value: unknown): Value {
  const enumeration = ENUMERATIONS[name];
  if (enumeration === undefined) return value as Value;
  const member = (one: string) => Expression.member(enumeration, memberName(one));
  return Array.isArray(value) ? value.map(member) : member(String(value));
}
