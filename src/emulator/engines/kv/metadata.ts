import { formatDuration } from '../../../model';
import { route, type LogicalResponse, type MountContext, type Route } from '../../core/backend';
import { notFound, collect, invalidRequest } from '../../core/errors';
import { timestamp } from '../../core/primitives/clock';
import type { JsonObject } from '../../core/primitives/json';
import { listFolder } from '../../core/primitives/storage';
import { emptySecret, versionTimes } from './secret';
import { mountSettings, versionedSecrets, type Secret } from './storage';
import { CUSTOM_METADATA_FAILED, customMetadataProblems } from '../../core/primitives/custom-metadata';
import { decodeField, FieldError } from '../../core/input/field-schemas';

type CustomMetadata = Readonly<Record<string, string>>;

interface Settings {
  readonly max_versions?: number;
  readonly cas_required?: boolean;
  readonly delete_version_after?: number;
  readonly custom_metadata?: JsonObject;
}

/**
 * Routes for the settings and versions of single secrets. A delete removes the secret completely.
 */
export function metadataRoutes(context: MountContext): Route[] {
  return [metadata(context), rootFolder(context)];
}

function rootFolder({ storage }: MountContext): Route {
  return route({
    pattern: 'metadata',
    operations: { list: () => listFolder(versionedSecrets(storage), '') },
  });
}

function metadata({ storage, clock }: MountContext): Route {
  const secrets = versionedSecrets(storage);

  const write = ({ data }: { data: Settings & { path: string } }) => {
    if (!hasSettings(data)) return undefined;
    const secret = secrets.get<Secret>(data.path) ?? emptySecret(clock.now());
    secrets.put(data.path, {
      ...withSettings(secret, data, clock.now()),
      customMetadata: data.custom_metadata ? customMetadata(data.custom_metadata) : secret.customMetadata,
    });
    return ignoredCas(data, mountSettings(storage).cas_required);
  };

  return route({
    pattern: 'metadata/*path',
    fields: {
      path: { type: 'string', path: true, description: 'Location of the secret.' },
      cas_required: { type: 'boolean', description: 'If true, all writes need the cas option.' },
      max_versions: { type: 'integer', description: 'The number of versions to keep.' },
      delete_version_after: { type: 'duration', description: 'TTL of a version.' },
      custom_metadata: { type: 'object', description: 'Custom metadata of the secret.' },
    },
    exists: ({ data: { path } }) => secrets.get(path) !== undefined,
    operations: {
      read: ({ data: { path } }) => {
        const secret = secrets.get<Secret>(path);
        return secret && { data: describe(secret) };
      },
      list: ({ data: { path } }) => listFolder(secrets, path),
      create: write,
      update: write,
      patch: ({ data }) => {
        if (!hasSettings(data)) return undefined;
        const secret = secrets.get<Secret>(data.path);
        if (secret === undefined) throw notFound();
        secrets.put(data.path, {
          ...withSettings(secret, data, clock.now()),
          customMetadata: data.custom_metadata
            ? patchCustomMetadata(secret.customMetadata, data.custom_metadata)
            : secret.customMetadata,
        });
        return ignoredCas(data, mountSettings(storage).cas_required);
      },
      delete: ({ data: { path } }) => secrets.delete(path),
    },
    help: { synopsis: 'Reads and writes the settings of secrets, lists and removes secrets.' },
  });
}

function hasSettings({
  max_versions,
  cas_required,
  delete_version_after,
  custom_metadata,
}: Settings): boolean {
  return [max_versions, cas_required, delete_version_after, custom_metadata].some(
    (given) => given !== undefined,
  );
}

function withSettings(secret: Secret, settings: Settings, now: number): Secret {
  return {
    ...secret,
    updatedAt: now,
    maxVersions: settings.max_versions ?? secret.maxVersions,
    casRequired: settings.cas_required ?? secret.casRequired,
    deleteVersionAfter: settings.delete_version_after ?? secret.deleteVersionAfter,
  };
}

function ignoredCas({ cas_required }: Settings, requiredByMount: boolean): LogicalResponse | undefined {
  if (cas_required !== false || !requiredByMount) return undefined;
  const warning =
    '"cas_required" set to false, but is mandated by backend config. This value will be ignored.';
  return { warnings: [warning] };
}

function describe(secret: Secret): JsonObject {
  return {
    cas_required: secret.casRequired,
    created_time: timestamp(secret.createdAt),
    current_version: secret.currentVersion,
    custom_metadata: secret.customMetadata,
    delete_version_after: formatDuration(secret.deleteVersionAfter),
    max_versions: secret.maxVersions,
    oldest_version: secret.oldestVersion,
    updated_time: timestamp(secret.updatedAt),
    versions: Object.fromEntries(
      Object.entries(secret.versions).map(([number, version]) => [number, versionTimes(version)]),
    ),
  };
}

/**
 * Returns the custom metadata of a secret.
 *
 * @throws LogicalError for values that the server refuses.
 */
function customMetadata(given: JsonObject): CustomMetadata {
  const texts = asTexts(given);
  checkLimits(texts);
  return texts;
}

/** Returns the metadata with updates; null removes a key. */
function patchCustomMetadata(before: CustomMetadata | null, given: JsonObject): CustomMetadata {
  const kept = Object.entries(before ?? {}).filter(([key]) => given[key] !== null);
  const changes = customMetadata(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
  );
  return { ...Object.fromEntries(kept), ...changes };
}

function asTexts(given: JsonObject): CustomMetadata {
  try {
    return Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, decodeField('string', value)]),
    );
  } catch (error) {
    if (error instanceof FieldError) throw invalidRequest(`${CUSTOM_METADATA_FAILED}: ${error.message}`);
    throw error;
  }
}

function checkLimits(texts: CustomMetadata): void {
  const problems = customMetadataProblems(texts);
  if (problems.length > 0) throw invalidRequest(collect(problems));
}
