import { formatImportId, ImportIdError, parseImportId, type ObjectDefinition } from '../../../model';
import { isKnown, string, types, UNKNOWN, type ImportRequest, type Unknown } from '../../../plugin';
import { literal, literals, phrase } from '../../../model/messages';
import { MessageError } from '../../messages';
import { CLUSTER_DESCRIPTION, RESOURCE_LOCATION, type RequestContext } from '../../objects';

/** The name in ids of objects that every cluster has exactly once. */
const NAME = 'performance';

/** The location of a cluster's part in replication. It belongs to no namespace. */
export const MEMBER_LOCATION = {
  id: string({ computed: true, description: `The import id in its full form: \`cluster//${NAME}\`.` }),
  cluster: RESOURCE_LOCATION.cluster,
};

/** The identity that Terraform 1.12 and later stores beside the state. */
export const MEMBER_IDENTITY = {
  attributes: { cluster: { type: types.string, description: CLUSTER_DESCRIPTION, requiredForImport: true } },
  of: ({ cluster }: { readonly cluster: string | null }) => ({ cluster }),
};

/** Returns the id of a cluster's part in replication. */
export function memberId(cluster: string): string {
  return formatImportId({ cluster, namespace: '', name: NAME });
}

/** Returns the id in a plan, where the cluster may be unknown. */
export function plannedMemberId(cluster: string | Unknown): string | Unknown {
  return isKnown(cluster) ? memberId(cluster) : UNKNOWN;
}

/**
 * Returns the cluster to import, from its name, the full id or the identity.
 *
 * @throws DiagnosticError
 */
export function importedMember(
  request: ImportRequest,
  definition: ObjectDefinition,
  context: RequestContext,
): { readonly id: string; readonly cluster: string } {
  const cluster = request.identity
    ? context.providerData.knownNameOf(request.identity.cluster as string, definition.title, context)
    : clusterOfId(request.id, definition, context);
  return { id: memberId(cluster), cluster };
}

function clusterOfId(id: string, { title }: ObjectDefinition, context: RequestContext): string {
  const names = context.providerData.knownNames(title, context);
  if (names.includes(id)) return id;
  try {
    const { cluster, namespace, name } = parseImportId(id, names);
    if (name === NAME && namespace === '') return cluster;
  } catch (error) {
    if (!(error instanceof ImportIdError)) throw error;
  }
  throw new MessageError({
    summary: `${title}: import id ${JSON.stringify(id)} does not contain a cluster name`,
    allowed: phrase`the name of a cluster: ${literals(names)}`,
    cures: phrase`write for example ${literal(names[0])}, or ${literal(memberId(names[0] ?? 'cluster'))}`,
  });
}
