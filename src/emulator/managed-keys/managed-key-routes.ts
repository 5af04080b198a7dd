import {
  USAGE_NAMES_SINCE,
  showManagedKey,
  UNSUPPORTED_MANAGED_KEY_TYPE,
  MANAGED_KEY,
  managedKeyBackendOf,
  toProduct,
  type ManagedKeyBackend,
  describeFinding,
  normalizeManagedKey,
  type FieldValues,
  fromProduct,
} from '../../model';
import {
  type LogicalRequest,
  type LogicalResponse,
  type Route,
  route,
  type MountEntry,
  type Namespace,
  type ServerFlavour,
  type ResponseData,
} from '../core/backend';
import { invalidRequest, openRefusal } from '../core/errors';
import { type FieldSchemas, decodeFields } from '../core/input/field-schemas';
import { knownFields, modelRefusal, refusedFinding, schemaOf } from '../core/input/model-input';
import type { ClusterParts } from '../core/request/parts';
import type { KeyOperations } from './key-operations';
import { type ManagedKeyEntry, ManagedKeyStore } from './store';
import { signForTest, TEST_SIGN_FIELDS } from './test-sign';
import { ignoredParameters } from '../core/request/complete-response';
import { uuid } from '../core/primitives/identifiers';
import type { JsonObject } from '../core/primitives/json';

const TYPE_FIELD = {
  type: { type: 'string', path: true, description: 'The backend that keeps the key.' },
} as const satisfies FieldSchemas;

const PATH_FIELDS = {
  ...TYPE_FIELD,
  name: { type: 'string', path: true, description: 'The name of the managed key.' },
} as const satisfies FieldSchemas;

type KeyRequest = LogicalRequest<typeof PATH_FIELDS>;
/** A request that identifies a key. */
type KeyReference = Pick<KeyRequest, 'data' | 'namespace'>;
type TestRequest = LogicalRequest<typeof PATH_FIELDS & typeof TEST_SIGN_FIELDS>;

/** The routes of managed keys: references to keys in HSMs and cloud services. */
export function managedKeyRoutes(cluster: ClusterParts, operations: KeyOperations): readonly Route[] {
  const { server, storage, clock } = cluster;
  const keys = new ManagedKeyStore(storage);

  const find = ({ data, namespace }: KeyReference): ManagedKeyEntry | undefined => {
    const { type } = supportedType(server, data.type);
    const entry = keys.get(namespace, managedKeyName(data.name));
    return entry?.type === type ? entry : undefined;
  };
  // The type is not checked here: the error for an unknown type is only returned after the token's
  // check.
  const exists = ({ data, namespace }: KeyReference) =>
    keys.get(namespace, managedKeyName(data.name)) !== undefined;
  const write = ({ data, namespace, body }: KeyRequest) =>
    writeManagedKey(keys, server, supportedType(server, data.type), { namespace, written: data.name, body });
  const read = (request: KeyRequest): LogicalResponse | undefined => {
    const entry = find(request);
    if (entry === undefined) return undefined;
    const type = supportedType(server, request.data.type);
    const usagesAs = server.atLeast(...USAGE_NAMES_SINCE) ? 'names' : 'numbers';
    return { data: encodeAnswer(server, showManagedKey(type, entry.fields, entry.uuid, usagesAs)) };
  };
  const remove = (request: KeyRequest): undefined => {
    const entry = find(request);
    if (entry === undefined) return;
    refuseInUse(cluster, request.namespace, entry.name);
    keys.delete(request.namespace, entry.name);
  };
  const test = async (request: TestRequest): Promise<undefined> => {
    const entry = find(request);
    const { name } = request.data;
    if (entry === undefined) throw openRefusal('testSignMissing', name);
    await operations.tests.noting(
      cluster.name,
      entry,
      () => clock.now(),
      () => signForTest(operations, server, entry, request.data),
    );
  };

  const rootNamespaceOnly = () => server.assumed('managedKeyNamespaces').rootNamespaceOnly;
  return [
    route({
      pattern: 'managed-keys/:type',
      rootNamespaceOnly,
      fields: TYPE_FIELD,
      operations: {
        list: ({ data, namespace }) => ({
          data: { keys: keys.list(namespace, supportedType(server, data.type).type) },
        }),
      },
      help: { synopsis: 'Lists the managed keys of a backend.' },
    }),
    route({
      pattern: 'managed-keys/:type/:name',
      rootNamespaceOnly,
      fields: PATH_FIELDS,
      // The body's fields depend on the backend, and are checked by the write.
      arbitraryInput: true,
      exists,
      operations: { read, create: write, update: write, delete: remove },
      help: { synopsis: 'Reads, writes and deletes a managed key.' },
    }),
    route({
      pattern: 'managed-keys/:type/:name/test/sign',
      rootNamespaceOnly,
      fields: { ...PATH_FIELDS, ...TEST_SIGN_FIELDS },
      exists,
      operations: { create: test, update: test },
      help: { synopsis: 'Signs and verifies random data with a managed key.' },
    }),
  ];
}

/**
 * @throws LogicalError 400 if mounts of the key's namespace list the key in their
 *   `allowed_managed_keys`.
 */
function refuseInUse({ mounts }: Pick<ClusterParts, 'mounts'>, namespace: Namespace, name: string): void {
  const users = [...mounts.list(namespace, 'secret'), ...mounts.list(namespace, 'auth')]
    .filter((mount) => allowedKeys(mount).includes(name))
    .map(({ path }) => path);
  if (users.length > 0) throw openRefusal('managedKeyInUse', name, users);
}

function allowedKeys({ config }: MountEntry): readonly string[] {
  const { allowed_managed_keys: names } = config;
  return Array.isArray(names) ? (names as readonly string[]).map(managedKeyName) : [];
}

/**
 * Returns the backend in a path, in the server's dialect, with the fields that the server's version
 * has.
 *
 * @throws LogicalError 400 if the backend does not exist, or this build of the server does not have
 *   it.
 */
function supportedType(server: ServerFlavour, name: string): ManagedKeyBackend {
  const type = managedKeyBackendOf(toProduct(server.dialect, MANAGED_KEY.name).type(name));
  if (
    type === undefined ||
    (type.type === 'pkcs11' && !server.assumed('hsmBuilds').includes(server.version))
  ) {
    throw invalidRequest(`${UNSUPPORTED_MANAGED_KEY_TYPE} ${JSON.stringify(name)}`);
  }
  const { definition } = type;
  return { ...type, definition: { ...definition, fields: knownFields(server, definition.fields) } };
}

/** Returns a managed key's name in the form that the server stores. */
function managedKeyName(written: string): string {
  return written.toLowerCase();
}

/**
 * Creates or updates a managed key. An update keeps the fields that it does not contain. The
 * backend is not contacted.
 *
 * @throws LogicalError 400 if the configuration is not valid, or a key of another backend has the
 *   name.
 */
function writeManagedKey(
  keys: ManagedKeyStore,
  server: ServerFlavour,
  type: ManagedKeyBackend,
  { namespace, written, body }: { namespace: Namespace; written: string; body: JsonObject },
): LogicalResponse | undefined {
  const name = managedKeyName(written);
  if (name !== written && server.assumed('managedKeyNames').refused) {
    throw modelRefusal(`managed key name "${written}" is not valid: names are in lower case`);
  }
  const before = keys.get(namespace, name);
  if (before !== undefined && before.type !== type.type) {
    throw openRefusal('managedKeyNameTaken', name, before.type);
  }
  const sent = normalizeManagedKey(type, decodeBody(server, type, body));
  const fields = { ...server.assumed('managedKeyWrites').merge(before?.fields ?? {}, sent), name };
  refuseFaults(type, name, fields);
  keys.put(namespace, { uuid: before?.uuid ?? uuid(), name, type: type.type, fields });

  const unknown = unknownParameters(type, body);
  const warnings = [
    ...(name === written ? [] : [`managed key name was converted to ${name}`]),
    ...(unknown.length === 0 ? [] : [ignoredParameters(unknown)]),
  ];
  return warnings.length === 0 ? undefined : { warnings };
}

function refuseFaults({ definition }: ManagedKeyBackend, name: string, fields: FieldValues): void {
  const finding = refusedFinding(definition, fields);
  if (finding === undefined) return;
  const { line } = describeFinding(definition, name, finding);
  throw modelRefusal(finding.field === 'algorithm' ? `invalid signature algorithm: ${line}` : line);
}

/**
 * Returns the fields of a request's body that the backend has, with Vault's names, without those
 * that were not sent.
 */
function decodeBody(server: ServerFlavour, type: ManagedKeyBackend, body: JsonObject): FieldValues {
  const sent = toProduct(server.dialect, MANAGED_KEY.name).fields(body) as JsonObject;
  const decoded = decodeFields(schemasOf(type), sent);
  return Object.fromEntries(Object.entries(decoded).filter(([, value]) => value !== undefined));
}

/** Returns the names in a request's body that the backend does not have. */
function unknownParameters({ definition }: ManagedKeyBackend, body: JsonObject): readonly string[] {
  return Object.keys(body)
    .filter((name) => name !== 'type' && !Object.hasOwn(definition.fields, name))
    .sort();
}

/** Converts an answer's data to the server's dialect. */
function encodeAnswer(server: ServerFlavour, data: FieldValues): ResponseData {
  return fromProduct(server.dialect, MANAGED_KEY.name).fields(data) as ResponseData;
}

function schemasOf({ definition }: ManagedKeyBackend): FieldSchemas {
  return Object.fromEntries(
    Object.entries(definition.fields)
      .filter(([, { identity }]) => identity !== true)
      .map(([name, field]) => [name, schemaOf(field)]),
  );
}
