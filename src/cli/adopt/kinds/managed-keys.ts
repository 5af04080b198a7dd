import {
  encodeManagedKey,
  findMechanism,
  formatImportId,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  MANAGED_KEY_TYPES,
  objectTitle,
  type FieldValues,
  type ManagedKeyBackend,
  type ManagedKeyTypeName,
  type ObjectIdentity,
} from '../../../model';
import { Expression, type Fields, type Value } from '../app/code';
import {
  resourceType,
  secretVariables,
  type Declaration,
  type Naming,
  type ResourceAddress,
} from '../app/declaration';
import { camelCase, slug } from '../app/names';
import { isDeclarable } from '../estate/declarable';
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
}

const TITLE = `${MANAGED_KEY.title}s`;

/** The managed keys of all backends. */
export const MANAGED_KEYS = adoptedKind<FoundKey>({
  title: TITLE,
  fromPrimary: true,

  async read(place, { isManaged }) {
    const { cluster, namespace, client } = place;
    const list = await place.attempt(TITLE, MANAGED_KEY, () => client.managedKeys.listAll());
    const names = MANAGED_KEY_TYPES.flatMap((type) =>
      (list?.data[type] ?? []).map((name) => [type, name] as const),
    );
    const keys = await Promise.all(
      names.map(([type, name]) =>
        place.attempt(objectTitle(MANAGED_KEY, name), MANAGED_KEY, () => client.managedKeys.read(type, name)),
      ),
    );
    return keys.flatMap((key) => {
      if (!key) return [];
      const { name, fields, hidden, heldSecrets: secrets } = key.data;
      const type = MANAGED_KEY_BACKENDS[key.data.type];
      const others = hidden.filter((field) => type.definition.fields[field]?.sensitive !== true);
      const found = { identity: { cluster, namespace, name }, type, fields: { ...fields }, secrets };
      const declarable = () => isDeclarable(type.definition, { ...fields, name }, place, { secrets, others });
      return isManaged(addressOf(found)) || declarable() ? [found] : [];
    });
  },

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
      cluster: Expression.local('cluster'),
      namespace: namespace || undefined,
      keyName: name,
      backend: Expression.call('ManagedKeyBackend', FACTORIES[type.type], {
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
function backendProps(type: FoundKey['type'], fields: FieldValues): Fields {
  const { keyBits, curve, ...others } = propsOf(type.fields, fields, { toValue, toName: camelCase });
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

function toValue(name: string, value: unknown): Value {
  const enumeration = ENUMERATIONS[name];
  return enumeration === undefined ? (value as Value) : members(enumeration, value);
}
