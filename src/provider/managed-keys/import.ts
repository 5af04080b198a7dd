import {
  MANAGED_KEY_TYPES,
  MANAGED_KEY,
  managedKeyBackendOf,
  type ManagedKeyTypeName,
  type ObjectIdentity,
} from '../../model';
import { DiagnosticError, type ImportRequest } from '../../plugin';
import {
  importedIdentity,
  nothingToImport,
  reportFindings,
  request as ask,
  subjectOf,
  type RequestContext,
} from '../objects';
import type { KeyIdentity } from './identity';

/**
 * The key that an import is about, from its id `[cluster/][namespace/][type/]name`, the full form
 * `cluster/namespace//[type/]name`, or its identity. Without a type it is the key of that name, whatever its type.
 *
 * @throws DiagnosticError
 */
export async function importedKey(request: ImportRequest, context: RequestContext): Promise<KeyIdentity> {
  const { type, ...identity } = partsOf(request, context);
  reportFindings(MANAGED_KEY, { name: identity.name }, context.diagnostics);
  if (type === undefined) return { ...identity, type: await findType(identity, context) };
  return { ...identity, type: knownType(type, request) };
}

type Parts = ObjectIdentity & { readonly type?: string | undefined };

function partsOf(request: ImportRequest, context: RequestContext): Parts {
  const identity = importedIdentity(request, MANAGED_KEY, context);
  if (request.identity)
    return { ...identity, type: (request.identity.type ?? undefined) as string | undefined };

  const [type, ...name] = identity.name.split('/');
  if (name.length > 0) return { ...identity, type, name: name.join('/') };
  const namespace = identity.namespace.split('/');
  const last = namespace.pop();
  const isType = !request.id.includes('//') && managedKeyBackendOf(last ?? '') !== undefined;
  return isType ? { ...identity, namespace: namespace.join('/'), type: last } : identity;
}

function knownType(type: string, { id, identity }: ImportRequest): ManagedKeyTypeName {
  const known = managedKeyBackendOf(type);
  if (known) return known.type;
  const received = identity ? 'the identity' : `import id ${JSON.stringify(id)}`;
  throw new DiagnosticError(
    `${MANAGED_KEY.title}: ${received} names an unknown type ${JSON.stringify(type)}`,
    `Allowed: ${MANAGED_KEY_TYPES.map((name) => JSON.stringify(name)).join(', ')}.\n` +
      'To do: write one of these, or leave the type out.',
  );
}

async function findType(identity: ObjectIdentity, context: RequestContext): Promise<ManagedKeyTypeName> {
  const subject = subjectOf(MANAGED_KEY, identity);
  const found = await ask('find', subject, context, ({ managedKeys }) =>
    managedKeys.find(identity.name, { signal: context.signal }),
  );
  if (!found) throw nothingToImport(subject);
  return found.data.type;
}
