import { findManagedKeys } from '../../../inventory';
import {
  encodeManagedKey,
  findMechanism,
  formatImportId,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  type FieldValues,
  type ManagedKeyBackend,
  type ManagedKeyTypeName,
  type ObjectIdentity,
} from '../../../model';
import { CodeExpression, type CodeProperties, type CodeValue } from '../app/code';
import {
  resourceType,
  secretVariables,
  type Declaration,
  type Naming,
  type ResourceAddress,
} from '../app/declaration';
import { camelCase, slug } from '../app/names';
import { fieldArguments, placeArguments, secretArguments } from '../hcl/arguments';
import { HclBlock } from '../hcl/hcl';
import { adoptedKind } from './kind';
import { members, propsOf, secretProps } from './props';

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
  rsa_oaep_hash: 'RsaOaepHash',
  encryption_mode: 'AzureEncryptionMode',
};

interface FoundKey {
  readonly identity: ObjectIdentity;
  readonly type: ManagedKeyBackend;
  readonly fields: FieldValues;
  /** The fields in which the server holds a secret. The secrets themselves are not kept. */
  readonly secrets: readonly string[];
  /** The other fields that the server does not return. */
  readonly hidden: readonly string[];
}

const TITLE = `${MANAGED_KEY.title}s`;

/** The managed keys of all backends. */
export const MANAGED_KEYS = adoptedKind<FoundKey>({
  title: TITLE,
  fromPrimary: true,

  async read(place) {
    const { cluster, namespace, client } = place;
    const keys = await place.readAll(TITLE, MANAGED_KEY, findManagedKeys, ({ type, name }) =>
      client.managedKeys.read(type, name),
    );
    return keys.map(({ name, type: typeName, fields, hidden, heldSecrets: secrets }) => {
      const type = MANAGED_KEY_BACKENDS[typeName];
      const others = hidden.filter((field) => type.definition.fields[field]?.sensitive !== true);
      const identity = { cluster, namespace, name };
      return { identity, type, fields: { ...fields }, secrets, hidden: others };
    });
  },

  declarable: ({ identity: { name }, type: { definition }, fields, secrets, hidden }) => ({
    definition,
    values: { ...fields, name },
    secrets,
    hidden,
  }),

  addressOf,

  parts(found, naming) {
    return [{ title: TITLE, declarations: found.map((key) => declare(key, naming)) }];
  },
});

function addressOf({ identity, type }: FoundKey): ResourceAddress {
  const name = `${type.type}/${identity.name}`;
  return { resource: resourceType(MANAGED_KEY), importId: formatImportId({ ...identity, name }) };
}

function declare(key: FoundKey, naming: Naming): Declaration {
  const { identity, type, fields, secrets } = key;
  const { namespace, name } = identity;
  const variables = secretVariables(identity, secrets, naming);
  return {
    id: naming.ids.take(slug('key', namespace, name)),
    construct: 'ManagedKey',
    props: {
      cluster: CodeExpression.local('cluster'),
      namespace: namespace || undefined,
      keyName: name,
      backend: CodeExpression.call('ManagedKeyBackend', FACTORIES[type.type], {
        ...backendProps(type, fields),
        ...secretProps(variables),
      }),
      ...propsOf(MANAGED_KEY.fields, fields, { toValue }),
    },
    arguments: {
      ...placeArguments(MANAGED_KEY, identity),
      ...fieldArguments(MANAGED_KEY.fields, fields),
      [type.block]: new HclBlock({ ...fieldArguments(type.fields, fields), ...secretArguments(variables) }),
    },
    ...addressOf(key),
    write: {
      cluster: identity.cluster,
      namespace,
      path: `${type.definition.path}/${name}`,
      body: encodeManagedKey(type, fields),
      secrets,
    },
  };
}

/** The props of the backend. The fields about the kind of key make one `KeySpec`. */
function backendProps(type: FoundKey['type'], fields: FieldValues): CodeProperties {
  const { keyBits, curve, ...others } = propsOf(type.fields, fields, { toValue, toName: camelCase });
  const isEcc = curve !== undefined && (keyBits === undefined || type.keySpec(fields)?.family === 'ECDSA');
  return {
    ...others,
    keyType: undefined,
    keySpec: isEcc ? CodeExpression.call('KeySpec', 'ecc', curve) : rsaSpec(keyBits),
    mechanism: typeof fields.mechanism === 'string' ? mechanismOf(fields.mechanism) : undefined,
  };
}

function rsaSpec(bits: CodeValue | undefined): CodeExpression | undefined {
  return bits === undefined ? undefined : CodeExpression.call('KeySpec', 'rsa', bits);
}

function mechanismOf(text: string): CodeExpression {
  const known = findMechanism(text);
  return known
    ? CodeExpression.member('Pkcs11Mechanism', known.name.replace('CKM_', ''))
    : CodeExpression.call('Pkcs11Mechanism', 'of', text);
}

function toValue(name: string, value: unknown): CodeValue {
  const enumeration = ENUMERATIONS[name];
  return enumeration === undefined ? (value as CodeValue) : members(enumeration, value);
}
