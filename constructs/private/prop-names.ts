import type { Finding, ObjectDefinition } from '../../src/model';

/** The props for the names of objects, by kind. */
const OF_NAMES: Readonly<Record<string, string>> = {
  acl_policy: 'policyName',
  rgp_policy: 'policyName',
  egp_policy: 'policyName',
  managed_key: 'keyName',
  auto_snapshot: 'snapshotName',
};

/** The props that are not called as their fields are, in camel case. Several fields can make one value. */
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

/** The fields of snapshots begin with their service. The props are those of one service. */
const SERVICE = /^(local|aws_s3|aws|azure_blob|azure|google_gcs|google)_/;

/** The prop that a field of the model is given by: `maxSpace` for `local_max_space`. */
export function propName(field: string, kind?: string): string {
  const name = field === 'name' && kind !== undefined ? OF_NAMES[kind] : OTHERWISE[field];
  return name ?? camelCase(field.replace(SERVICE, ''));
}

/** A finding as authors of apps read it: with the names of props in place of those of fields. */
export function withPropNames(
  { name: kind, fields }: Partial<Pick<ObjectDefinition, 'name'>> & Pick<ObjectDefinition, 'fields'>,
  { field, problem, received, allowed, cure, ...others }: Finding,
): Finding {
  const isField = (word: string) => Object.hasOwn(fields, word);
  const renamed = (text: string) =>
    text
      .split(QUOTED)
      .map((part) =>
        part.startsWith('"')
          ? part
          : part.replace(POSSIBLE_FIELD, (word) => (isField(word) ? propName(word, kind) : word)),
      )
      .join('');
  return {
    ...others,
    field: propName(field, kind),
    problem: renamed(problem),
    ...(received !== undefined && { received: renamed(received) }),
    ...(allowed !== undefined && { allowed: renamed(allowed) }),
    cure: renamed(cure),
  };
}

/** Values, which are left as they are. */
const QUOTED = /("(?:[^"\\]|\\.)*")/;
/** Words that can only be the names of fields, and those that are told to be some: `remove curve`. */
const POSSIBLE_FIELD = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b|(?<=\b(?:set|remove|leave) )[a-z]+\b/g;

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
