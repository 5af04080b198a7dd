import { findManagedKeys } from '../../../inventory';
import {
  encodeManagedKey,
  findMechanism,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  type FieldValues,
  type ManagedKeyBackend,
  type ManagedKeyTypeName,
} from '../../../model';
import { CodeExpression, type CodeProperties, type CodeValue } from '../app/code';
import { camelCase } from '../app/names';
import { adoptedKind, type AdoptedObject } from './kind';
import { propsOf, secretProps } from './props';

const FACTORIES: Readonly<Record<ManagedKeyTypeName, string>> = {
  pkcs11: 'pkcs11',
  awskms: 'awsKms',
  azurekeyvault: 'azureKeyVault',
  gcpckms: 'gcpCkms',
};

interface FoundKey extends AdoptedObject {
  readonly backend: ManagedKeyBackend;
}

const TITLE = `${MANAGED_KEY.title}s`;

/** The managed keys of all backends. */
export const MANAGED_KEYS = adoptedKind<FoundKey>({
  definition: MANAGED_KEY,
  title: TITLE,
  prefix: 'key',
  construct: 'ManagedKey',
  fromPrimary: true,

  async read(place) {
    const { cluster, namespace, client } = place;
    const keys = await place.readAll(TITLE, MANAGED_KEY, findManagedKeys, ({ type, name }) =>
      client.managedKeys.read(type, name),
    );
    return keys.map(({ name, type, fields, hidden, heldSecrets: secrets }) => {
      const backend = MANAGED_KEY_BACKENDS[type];
      const others = hidden.filter((field) => backend.definition.fields[field]?.sensitive !== true);
      return { identity: { cluster, namespace, name }, backend, fields, secrets, hidden: others };
    });
  },

  declare: ({ identity: { name }, backend, fields }, { variables }) => ({
    props: {
      keyName: name,
      backend: CodeExpression.call('ManagedKeyBackend', FACTORIES[backend.type], {
        ...backendProps(backend, fields),
        ...secretProps(variables),
      }),
      ...propsOf(MANAGED_KEY.fields, fields),
    },
  }),

  importName: ({ identity, backend }) => `${backend.type}/${identity.name}`,
  body: ({ backend }, values) => encodeManagedKey(backend, values),
});

/** Returns the props of the backend. The fields about the kind of key become one `KeySpec`. */
function backendProps(type: ManagedKeyBackend, fields: FieldValues): CodeProperties {
  const { keyBits, curve, ...others } = propsOf(type.fields, fields, { toName: camelCase });
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
