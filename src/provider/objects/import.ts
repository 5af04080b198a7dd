import { MessageError } from '../messages';
import {
  formatImportId,
  ImportIdError,
  nameField,
  namespacePathProblem,
  normalizeNamespace,
  objectTitle,
  parseImportId,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../model';
import type { DiagnosticError, ImportRequest } from '../../plugin';
import { reportFindings } from './report-findings';
import type { RequestContext } from './request';
import { textIn, type AttributeValues } from './values';

/**
 * Returns the object to import, from its id or identity. The name is checked like a configured one.
 *
 * @throws DiagnosticError
 */
export function importedObject(
  request: ImportRequest,
  definition: ObjectDefinition,
  context: RequestContext,
): ObjectIdentity {
  const identity = importedIdentity(request, definition, context);
  if (definition.clusterWide && identity.namespace !== '') throw inNoNamespace(definition, identity);
  reportFindings(definition, { [nameField(definition)]: identity.name }, context.diagnostics);
  return identity;
}

/**
 * Like {@link importedObject}, for ids with further parts at their end.
 *
 * @throws DiagnosticError
 */
export function importedIdentity(
  request: ImportRequest,
  definition: ObjectDefinition,
  context: RequestContext,
): ObjectIdentity {
  return request.identity ? byIdentity(request.identity) : byId(request.id);

  function byId(id: string): ObjectIdentity {
    const names = context.providerData.knownNames(definition.title, context);
    try {
      return parseImportId(id, names);
    } catch (error) {
      if (!(error instanceof ImportIdError)) throw error;
      throw new MessageError({
        summary: `${definition.title}: import id ${JSON.stringify(id)} ${error.problem}`,
        allowed: error.allowed,
        cures: error.cure,
      });
    }
  }

  function byIdentity(values: AttributeValues): ObjectIdentity {
    const name = textIn(values, nameField(definition)) ?? '';
    const title = objectTitle(definition, name);
    const cluster = context.providerData.knownNameOf(textIn(values, 'cluster'), title, context);
    const namespace = normalizeNamespace(textIn(values, 'namespace'));
    const problem = namespacePathProblem(namespace);
    if (problem) {
      throw new MessageError({
        summary: `${title}: the namespace ${problem.received} ${problem.problem}`,
        allowed: problem.allowed,
        cures: problem.cure,
      });
    }
    return { cluster, namespace, name };
  }
}

function inNoNamespace(
  definition: ObjectDefinition,
  { cluster, namespace, name }: ObjectIdentity,
): DiagnosticError {
  const title = objectTitle(definition, name);
  return new MessageError({
    summary: `${title}: the import id names a namespace`,
    received: `namespace ${JSON.stringify(namespace)}`,
    allowed: `none: every ${definition.title} is kept for the whole cluster`,
    cures: `write ${JSON.stringify(formatImportId({ cluster, namespace: '', name }))}`,
  });
}
