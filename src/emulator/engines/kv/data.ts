import { route, type LogicalResponse, type MountContext, type Route } from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import { JSON_TYPE } from '../../core/request/answer';
import { decodeField, FieldError } from '../../core/input/field-schemas';
import { type JsonObject, isJsonObject } from '../../core/primitives/json';
import { isDeleted, withNewVersion, withVersions, versionMetadata } from './secret';
import { mountSettings, versionedSecrets, type Secret, type Version } from './storage';

const NOTHING_TO_PATCH: LogicalResponse = { raw: { status: 404, body: '', contentType: JSON_TYPE } };

/** Reads, writes, patches and deletes the latest version of a secret. */
export function dataRoute({ storage, clock }: MountContext): Route {
  const secrets = versionedSecrets(storage);

  const save = (path: string, secret: Secret | undefined, data: JsonObject): LogicalResponse => {
    const written = withNewVersion(secret, data, mountSettings(storage), clock.now());
    secrets.put(path, written);
    return { data: versionMetadata(written, written.currentVersion) };
  };

  const write = ({ data }: { data: { path: string; data?: JsonObject; options?: JsonObject } }) => {
    if (data.data === undefined) throw invalidRequest('no data provided');
    const secret = secrets.get<Secret>(data.path);
    checkAndSet(data.options, mountSettings(storage).cas_required, secret);
    return save(data.path, secret, data.data);
  };

  return route({
    pattern: 'data/*path',
    fields: {
      path: { type: 'string', path: true, description: 'Location of the secret.' },
      version: {
        type: 'integer',
        default: 0,
        description: 'If provided during a read, the value at the version number will be returned',
      },
      options: {
        type: 'object',
        description:
          'Options of a write: `cas`, the required current version; 0 if the secret must not exist.',
      },
      data: { type: 'object', description: 'The contents of the secret.' },
    },
    exists: ({ data: { path } }) => secrets.get(path) !== undefined,
    operations: {
      read: ({ data }) => {
        const secret = secrets.get<Secret>(data.path);
        return secret && readVersion(secret, data.version, clock.now(), (content) => ({ data: content }));
      },
      create: write,
      update: write,
      patch: ({ data }) => {
        if (data.data === undefined) throw invalidRequest('no data provided');
        const secret = secrets.get<Secret>(data.path);
        const current = secret?.versions[secret.currentVersion];
        if (secret === undefined || current === undefined) return NOTHING_TO_PATCH;
        checkAndSet(data.options, mountSettings(storage).cas_required, secret);
        if (current.destroyed || current.data === null || isDeleted(current, clock.now())) {
          return { status: 404, data: versionMetadata(secret, secret.currentVersion) };
        }
        return save(data.path, secret, mergePatch(current.data, data.data));
      },
      delete: ({ data: { path } }) => {
        const secret = secrets.get<Secret>(path);
        if (secret !== undefined) {
          secrets.put(path, withVersions(secret, [secret.currentVersion], deletedAt(clock.now())));
        }
      },
    },
    help: { synopsis: 'Write, patch, read and delete secrets.' },
  });
}

/** Returns a function that marks a version as deleted, unless it already is. */
export function deletedAt(now: number): (version: Version) => Version {
  return (version) => (isDeleted(version, now) ? version : { ...version, deletedAt: now });
}

/**
 * Returns the answer to a read of one version: the result of `present` for its content, and its
 * metadata. If the version is deleted or destroyed, the answer is a 404 without content.
 *
 * @param number 0 for the current version.
 */
export function readVersion(
  secret: Secret,
  number: number,
  now: number,
  present: (content: JsonObject | null) => JsonObject,
): LogicalResponse | undefined {
  const wanted = number > 0 ? number : secret.currentVersion;
  const version = secret.versions[wanted];
  if (version === undefined) return undefined;
  const gone = version.destroyed || isDeleted(version, now);
  const data = { ...present(gone ? null : version.data), metadata: versionMetadata(secret, wanted) };
  return gone ? { status: 404, data } : { data };
}

function checkAndSet(
  options: JsonObject | undefined,
  requiredByMount: boolean,
  secret: Secret | undefined,
): void {
  const cas = options?.['cas'];
  if (cas === undefined) {
    if (requiredByMount || secret?.casRequired) {
      throw invalidRequest('check-and-set parameter required for this call');
    }
    return;
  }
  if (decodeCas(cas) !== (secret?.currentVersion ?? 0)) {
    throw invalidRequest('check-and-set parameter did not match the current version');
  }
}

function decodeCas(cas: JsonObject[string]): number {
  try {
    return decodeField('integer', cas);
  } catch (error) {
    if (error instanceof FieldError) throw invalidRequest('error parsing check-and-set parameter');
    throw error;
  }
}

/**
 * Applies a JSON merge patch (RFC 7396): null deletes, objects are merged, any other value
 * replaces.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = result.get(key);
    if (value === null) result.delete(key);
    else if (isJsonObject(value)) result.set(key, mergePatch(isJsonObject(before) ? before : {}, value));
    else result.set(key, value);
  }
  return Object.fromEntries(result);
}
