import { ACL_POLICY, EGP_POLICY, formatImportId, RGP_POLICY, type ObjectDefinition } from '../../../model';
import type { FoundPolicy } from '../estate/found';
import { Expression } from './code';
import type { Declaration, Part } from './declaration';
import { memberName, pascalCase, slug, type UniqueNames } from './names';
import { resourceType } from './declaration';

interface PolicyKind {
  readonly definition: ObjectDefinition;
  readonly short: string;
  readonly document: string;
  readonly extension: string;
}

const KINDS: readonly PolicyKind[] = [
  { definition: ACL_POLICY, short: 'acl', document: 'PolicyDocument', extension: 'hcl' },
  { definition: RGP_POLICY, short: 'rgp', document: 'SentinelDocument', extension: 'sentinel' },
  { definition: EGP_POLICY, short: 'egp', document: 'SentinelDocument', extension: 'sentinel' },
];

/** The policies of a cluster. Their documents are files of their own, byte for byte as the server holds them. */
export function policyParts(
  folder: string,
  policies: readonly FoundPolicy[],
  ids: UniqueNames,
): readonly Part[] {
  return KINDS.map((kind) => ({
    title: `${kind.short.toUpperCase()} policies`,
    declarations: policies
      .filter(({ definition }) => definition === kind.definition)
      .map((policy) => declare(policy, kind, folder, ids)),
  }));
}

function declare(
  { identity, fields }: FoundPolicy,
  { definition, short, document, extension }: PolicyKind,
  folder: string,
  ids: UniqueNames,
): Declaration {
  const { namespace, name } = identity;
  const id = ids.take(slug(short, namespace, name));
  const file = `${folder}/policies/${id}.${extension}`;
  const { enforcement_level: level, paths } = fields;
  return {
    id,
    construct: pascalCase(definition.name),
    props: {
      cluster: Expression.local('cluster'),
      namespace: namespace || undefined,
      policyName: name,
      enforcementLevel:
        level === undefined ? undefined : Expression.member('EnforcementLevel', memberName(level)),
      paths,
      document: Expression.call(document, 'fromFile', file),
    },
    resource: resourceType(definition),
    importId: formatImportId(identity),
    files: { [file]: fields.policy },
  };
}
