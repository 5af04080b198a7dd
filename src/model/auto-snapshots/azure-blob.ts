import { isGiven } from '../definition/coerce';
import type { Fields, Rule } from '../definition/field';
import { fieldsRule, notEmptyRule } from '../definition/rules';
import { PATH_PREFIX_ENDS_WITH_SLASH } from './common-rules';
import { AUTOLOAD_FIELD } from './fields';
import { autoSnapshotBackend } from './auto-snapshot-backend';
import { field, phrase, set, literal } from '../messages';

/** The ways in which the server authenticates to Azure. */
export const AZURE_AUTH_MODES = ['shared', 'managed', 'environment'] as const;
export type AzureAuthMode = (typeof AZURE_AUTH_MODES)[number];

const KEY_FOR_SHARED_MODE: Rule = requiredInMode('azure_account_key', 'shared');
const CLIENT_FOR_MANAGED_MODE: Rule = requiredInMode('azure_client_id', 'managed');

const ACCOUNT_KEY_OR_MODE: Rule = fieldsRule(
  ['azure_account_key', 'azure_auth_mode'],
  'account-key-or-mode',
  (values) =>
    isGiven(values, 'azure_account_key') || isGiven(values, 'azure_auth_mode')
      ? undefined
      : {
          severity: 'warning',
          problem: phrase`and ${field('azure_auth_mode')} are not set: snapshots fail because there are no credentials`,
          allowed: phrase`an account key, or an ${field('azure_auth_mode')} that does not require one`,
          cure: phrase`${set('azure_account_key')}, or ${field('azure_auth_mode')} to ${literal('managed')} or ${literal('environment')}`,
        },
);

export const AZURE_BLOB_FIELDS = {
  azure_container_name: { type: 'string', required: true, doc: 'Container to write to.' },
  azure_account_name: { type: 'string', doc: 'Name of the storage account.' },
  azure_account_key: { type: 'string', sensitive: true, doc: 'Key of the storage account.' },
  azure_blob_environment: {
    type: 'string',
    doc: 'Azure cloud, such as `AZUREUSGOVERNMENTCLOUD`.',
    inputDoc: 'Default: the public cloud.',
  },
  azure_endpoint: { type: 'string', doc: 'Endpoint of the service, if it is not Azure.' },
  azure_auth_mode: {
    type: 'string',
    allowed: AZURE_AUTH_MODES,
    since: '1.18',
    doc:
      'How the server authenticates: `shared` with the account key, `managed` with the managed identity ' +
      '`azure_client_id`, `environment` with the Azure variables of its environment.',
  },
  azure_client_id: {
    type: 'string',
    since: '1.18',
    doc: 'Client id of the managed identity, if `azure_auth_mode` is `managed`.',
  },
  autoload_enabled: AUTOLOAD_FIELD,
} as const satisfies Fields;

/** A container of Azure Blob Storage, or of a compatible service. */
export const AZURE_BLOB = autoSnapshotBackend({
  type: 'azure-blob',
  title: 'Azure Blob Storage',
  block: 'azure_blob',
  doc: 'Writes snapshots to a container of Azure Blob Storage, or of a compatible service.',
  fields: AZURE_BLOB_FIELDS,
  rules: [
    notEmptyRule('azure_container_name', 'set it to the name of the container'),
    PATH_PREFIX_ENDS_WITH_SLASH,
    KEY_FOR_SHARED_MODE,
    CLIENT_FOR_MANAGED_MODE,
    ACCOUNT_KEY_OR_MODE,
  ],
});

function requiredInMode(name: string, mode: AzureAuthMode): Rule {
  return fieldsRule([name, 'azure_auth_mode'], `${name.replaceAll('_', '-')}-for-its-mode`, (values) =>
    values.azure_auth_mode === mode && !isGiven(values, name)
      ? {
          problem: phrase`is required when ${field('azure_auth_mode')} is ${mode}`,
          cure: phrase`${set(name)}, or another ${field('azure_auth_mode')}`,
        }
      : undefined,
  );
}
