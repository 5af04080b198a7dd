import type { Fields, Rule } from '../definition/field';
import { fieldsRule } from '../definition/rules';
import type { ValuesOf } from '../definition/typed-values';
import { generationRule, isSet } from './common-rules';
import { RSA_KEY_BITS } from './key-spec';
import { managedKeyBackend, type ManagedKeyBackend } from './managed-key-backend';
import { either, field, phrase, remove, set, literal } from '../messages';

const FIELDS = {
  tenant_id: { type: 'string', required: true, doc: 'Tenant id of the Azure Active Directory organization.' },
  client_id: { type: 'string', doc: 'Client id of the credentials. Not required with a managed identity.' },
  client_secret: {
    type: 'string',
    sensitive: true,
    doc: 'Client secret of the credentials. Not required with a managed identity.',
  },
  environment: {
    type: 'string',
    default: 'AZUREPUBLICCLOUD',
    doc: 'Azure cloud, such as `AZUREUSGOVERNMENTCLOUD`.',
  },
  vault_name: { type: 'string', required: true, doc: 'Name of the Key Vault that holds the key.' },
  key_name: { type: 'string', required: true, doc: 'Name of the key in the Key Vault.' },
  resource: {
    type: 'string',
    default: 'vault.azure.net',
    doc: 'DNS suffix of the Key Vault. For a managed HSM, it is `managedhsm.azure.net`.',
  },
  key_bits: {
    type: 'integer',
    default: 0,
    allowed: RSA_KEY_BITS,
    doc: 'Size of the key in bits.',
    inputDoc: 'Required if the key may be generated.',
  },
  key_type: {
    type: 'string',
    required: true,
    allowed: ['RSA-HSM'],
    doc: 'Type of the key. The only type is `RSA-HSM`.',
  },
  encryption_mode: {
    type: 'string',
    default: 'envelope',
    allowed: ['envelope', 'raw'],
    since: '2.0',
    doc: 'How data is encrypted: `envelope`, with an AES-GCM key that the key wraps, or `raw`, with the key itself. Requires Vault 2.0.',
  },
} as const satisfies Fields;
export type AzureKeyVaultValues = ValuesOf<typeof FIELDS>;

const CREDENTIALS_ARE_WHOLE: Rule = fieldsRule(
  ['client_id', 'client_secret'],
  'client-credentials-whole',
  (values) => {
    const [missing, given] = isSet(values, 'client_id')
      ? (['client_secret', 'client_id'] as const)
      : (['client_id', 'client_secret'] as const);
    return isSet(values, given) && !isSet(values, missing)
      ? {
          problem: phrase`and ${field('client_secret')} belong together: ${field(missing)} is missing`,
          allowed: 'both, or neither with a managed identity',
          cure: either(set(missing), remove(given)),
        }
      : undefined;
  },
);

const GENERATION_NEEDS_KEY_BITS: Rule = generationRule(['key_bits'], 'generation-needs-key-bits', (values) =>
  isSet(values, 'key_bits')
    ? undefined
    : {
        problem: phrase`is required if ${field('allow_generate_key')} is ${literal(true)}`,
        allowed: RSA_KEY_BITS.join(', '),
        cure: either(set('key_bits'), set('allow_generate_key', false)),
      },
);

/** Keys in Azure Key Vault. */
export const AZURE_KEY_VAULT: ManagedKeyBackend = managedKeyBackend({
  type: 'azurekeyvault',
  title: 'Azure Key Vault',
  doc: 'A managed key in an Azure Key Vault.',
  fields: FIELDS,
  keySpec: ({ key_bits: bits }) => ({
    family: 'RSA',
    ...(typeof bits === 'number' && bits > 0 && { bits }),
  }),
  rules: [CREDENTIALS_ARE_WHOLE, GENERATION_NEEDS_KEY_BITS],
});
