/** The notation of fields, values and code for the readers of a message. */
export interface Notation {
  /**
   * Returns a field's name.
   *
   * @param kind the kind of object that the field belongs to, if that is known: `acl_policy`.
   */
  field(name: string, kind?: string): string;
  property(name: string): string;
  assignment(name: string, value: string): string;
  literal(value: unknown): string;
  /**
   * Returns code.
   *
   * @param source the code in TypeScript.
   */
  code(source: string): string;
}

/** The notation of Terraform's configurations, and of requests to servers. */
export const TERRAFORM: Notation = {
  field: (name) => name,
  property: snakeCase,
  assignment: (name, value) => `${name} = ${value}`,
  literal: json,
  code: (source) => source,
};

/** The notation of apps in TypeScript, JavaScript, Java and C#. */
export const TYPESCRIPT: Notation = {
  field: propName,
  property: (name) => name,
  assignment: (name, value) => `${name}: ${value}`,
  literal: json,
  code: (source) => source,
};

/** The notation of apps in Python. */
export const PYTHON: Notation = {
  field: (name, kind) => snakeCase(propName(name, kind)),
  property: snakeCase,
  assignment: (name, value) => `${name}=${value}`,
  literal: (value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : json(value)),
  code: (source) =>
    source
      .split(STRING)
      .map((part, index) => (index % 2 === 1 ? part : pythonOf(part)))
      .join(''),
};

/** The props for the names of objects, by kind. */
const OF_NAMES: Readonly<Record<string, string>> = {
  acl_policy: 'policyName',
  rgp_policy: 'policyName',
  egp_policy: 'policyName',
  managed_key: 'keyName',
  auto_snapshot: 'snapshotName',
};

/**
 * The props whose names differ from the names of their fields in camel case. Several fields can
 * share a prop.
 */
const OTHERWISE: Readonly<Record<string, string>> = {
  policy: 'document',
  key_type: 'keySpec',
  key_bits: 'keySpec',
  curve: 'keySpec',
  azure_container_name: 'container',
  autoload_enabled: 'autoload',
  storage_type: 'storage',
  aws_s3_enable_kms: 'encryption',
  aws_s3_kms_key: 'encryption',
  aws_s3_server_side_encryption: 'encryption',
  id: 'secondaryId',
};

/**
 * The prefixes of the fields of snapshots. Their props have no prefix, because each prop belongs to
 * one service.
 */
const SERVICE = /^(local|aws_s3|aws|azure_blob|azure|google_gcs|google)_/;

/**
 * Returns the prop of a construct that sets a field of the model: `maxSpace` for `local_max_space`.
 */
export function propName(field: string, kind?: string): string {
  const name = field === 'name' && kind !== undefined ? OF_NAMES[kind] : OTHERWISE[field];
  return name ?? camelCase(field.replace(SERVICE, ''));
}

const STRING = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/;

/**
 * Converts code to Python.
 *
 * @param source TypeScript without strings.
 */
function pythonOf(source: string): string {
  return source
    .replace(/\bnew (?=[A-Z])/g, '')
    .replace(/\(\{([^{}]*)\}\)/g, '($1)')
    .replace(/\b(true|false)\b/g, (word) => (word === 'true' ? 'True' : 'False'))
    .replace(/(?<![A-Za-z0-9_])[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+/g, snakeCase);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
