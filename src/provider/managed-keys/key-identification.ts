import { MessageError } from '../messages';
import {
  formatImportId,
  MANAGED_KEY,
  MANAGED_KEY_TYPES,
  managedKeyBackendOf,
  type ManagedKeyTypeName,
  type ObjectIdentity,
} from '../../model';
import { string, types, type ImportRequest } from '../../plugin';
import {
  importedIdentity,
  onCluster,
  identificationOf,
  reportFindings,
  request as ask,
  subjectOf,
  textIn,
  type Identification,
  type RequestContext,
} from '../objects';

/** The location of a managed key: its path has the backend's type before the name. */
export interface KeyIdentity extends ObjectIdentity {
  readonly type: ManagedKeyTypeName;
}

const BY_NAME = identificationOf(MANAGED_KEY);
const TYPES = MANAGED_KEY_TYPES.map((type) => `\`${type}\``).join(', ');

export const KEY_ID = string({
  computed: true,
  description: 'The import id in its full form: `cluster/namespace//type/name`.',
});

/** The identification of keys by name and backend. */
export const KEY_IDENTIFICATION: Identification<KeyIdentity> = {
  attributes: { ...BY_NAME.attributes, id: KEY_ID },
  identity: {
    attributes: {
      ...BY_NAME.identity.attributes,
      type: { type: types.string, description: `Backend of the key: ${TYPES}.`, requiredForImport: false },
    },
    of: (state) => ({ ...BY_NAME.identity.of(state), type: state.type }),
  },
  keys: [...BY_NAME.keys, 'type'],
  identityOf(values, cluster) {
    const type = managedKeyBackendOf(textIn(values, 'type') ?? '')?.type;
    if (type === undefined) throw new Error('every managed key has a type');
    return { ...BY_NAME.identityOf(values, cluster), type };
  },
  locationOf: (identity) => ({ ...BY_NAME.locationOf(identity), id: keyId(identity), type: identity.type }),
  toImport: importedKey,
};

function keyId({ cluster, namespace, type, name }: KeyIdentity): string {
  return formatImportId({ cluster, namespace, name: `${type}/${name}` });
}

/**
 * Returns the key to import, from its id `[cluster/][namespace/][type/]name`, the full form
 * `cluster/namespace//[type/]name`, or its identity. Without a type, any key with that name
 * matches.
 *
 * @throws DiagnosticError
 */
async function importedKey(request: ImportRequest, context: RequestContext): Promise<KeyIdentity> {
  const { type, ...identity } = partsOf(request, context);
  reportFindings(MANAGED_KEY, { name: identity.name }, context.diagnostics);
  return {
    ...identity,
    type: type === undefined ? await findType(identity, context) : knownType(type, request),
  };
}

type Parts = ObjectIdentity & { readonly type?: string | undefined };

function partsOf(request: ImportRequest, context: RequestContext): Parts {
  if (!request.identity) requireCluster(request.id, context);
  const identity = importedIdentity(request, MANAGED_KEY, context);
  if (request.identity) return { ...identity, type: textIn(request.identity, 'type') ?? undefined };

  const [type, ...name] = identity.name.split('/');
  if (name.length > 0) return { ...identity, type, name: name.join('/') };
  const namespace = identity.namespace.split('/');
  const last = namespace.pop();
  const isType = !request.id.includes('//') && managedKeyBackendOf(last ?? '') !== undefined;
  return isType ? { ...identity, namespace: namespace.join('/'), type: last } : identity;
}

/** @throws DiagnosticError for an id that begins with a type, if there are several clusters */
function requireCluster(id: string, context: RequestContext): void {
  const names = context.providerData.knownNames(MANAGED_KEY.title, context);
  const [type = '', ...name] = id.split('/');
  if (names.length < 2 || names.includes(type) || !managedKeyBackendOf(type) || name.length !== 1) return;
  throw new MessageError({
    summary: `${MANAGED_KEY.title}: import id ${JSON.stringify(id)} does not contain a cluster name`,
    allowed: `the name of a cluster as the first segment, one of ${names.map((each) => JSON.stringify(each)).join(', ')}`,
    cures: `write ${JSON.stringify(`${names[0]}//${id}`)} for the key on that cluster`,
  });
}

function knownType(type: string, { id, identity }: ImportRequest): ManagedKeyTypeName {
  const known = managedKeyBackendOf(type);
  if (known) return known.type;
  const received = identity ? 'the identity' : `import id ${JSON.stringify(id)}`;
  throw new MessageError({
    summary: `${MANAGED_KEY.title}: ${received} names an unknown type ${JSON.stringify(type)}`,
    allowed: MANAGED_KEY_TYPES.map((name) => JSON.stringify(name)).join(', '),
    cures: 'use one of these, or leave out the type',
  });
}

async function findType(identity: ObjectIdentity, context: RequestContext): Promise<ManagedKeyTypeName> {
  const subject = subjectOf(MANAGED_KEY, identity);
  const found = await ask('find', subject, context, ({ managedKeys }) =>
    managedKeys.find(identity.name, { signal: context.signal }),
  );
  if (found) return found.data.type;
  const id = JSON.stringify(formatImportId(identity));
  if (!managedKeyBackendOf(identity.name)) {
    throw new MessageError({
      summary: `${onCluster(subject)} does not exist`,
      details: `No key of any type has this name (${TYPES.replaceAll('`', '')}).`,
      received: `import id ${id}`,
      cures:
        'check the parts of the id, cluster/namespace//type/name, in which the type may be left out. To create a new key, ' +
        'run an apply without an import',
    });
  }
  throw new MessageError({
    summary: `${MANAGED_KEY.title}: import id ${id} has a type, and no name`,
    allowed: 'cluster/namespace//type/name, in which the type may be left out',
    cures: `write ${JSON.stringify(formatImportId({ ...identity, name: `${identity.name}/NAME` }))}, with the name of the key`,
  });
}
