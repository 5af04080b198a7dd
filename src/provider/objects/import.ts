import {
  ImportIdError,
  normalizeNamespace,
  objectTitle,
  parseImportId,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../model';
import { DiagnosticError, type ImportRequest } from '../../plugin';
import { reportFindings } from './findings';
import type { RequestContext } from './request';

/**
 * The object that an import is about, from its id or from its identity. Its name is checked as in a configuration.
 *
 * @throws DiagnosticError
 */
export function importedObject(
  request: ImportRequest,
  definition: ObjectDefinition,
  context: RequestContext,
): ObjectIdentity {
  const identity = importedIdentity(request, definition, context);
  reportFindings(definition, { name: identity.name }, context.diagnostics);
  return identity;
}

/**
 * Like {@link importedObject}, for objects whose name is only a part of what the id ends with.
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
    const names = context.provider.knownNames(definition.title, context);
    try {
      return parseImportId(id, names);
    } catch (error) {
      if (!(error instanceof ImportIdError)) throw error;
      throw new DiagnosticError(
        `${definition.title}: import id ${JSON.stringify(id)} ${error.problem}`,
        `Allowed: ${error.allowed}.\nTo do: ${error.cure}.`,
      );
    }
  }

  function byIdentity({ cluster, namespace, name }: Readonly<Record<string, unknown>>): ObjectIdentity {
    const title = objectTitle(definition, String(name));
    return {
      cluster: context.provider.knownNameOf(cluster as string | null, title, context),
      namespace: normalizeNamespace(namespace as string | null),
      name: String(name),
    };
  }
}
