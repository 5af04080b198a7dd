import type * as Library from '@google-cloud/storage';
import { createPrivateKey } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { readPlainFile } from '../../../files';
import type { SnapshotConfig } from '../store';
import type { Cloud } from './cloud-target';
import { loadLibrary } from '../../core/load-library';
import { textOf } from './target';

/** The limit for each request of the library, which cannot be cancelled. */
const TIMEOUT_MS = 10_000;
/** The maximum size of the file of a service account key. */
const LONGEST_KEY = 64 * 1024;

/** Google Cloud Storage. */
export const GOOGLE_GCS: Cloud = {
  scheme: 'gs',
  bucket: 'google_gcs_bucket',
  endpoint: 'google_endpoint',
  disableTls: 'google_disable_tls',
  open: (config, name, endpoint) => {
    const { Storage } = loadLibrary('@google-cloud/storage') as typeof Library;
    const storage = new Storage({
      apiEndpoint: endpoint,
      useAuthWithCustomEndpoint: true,
      credentials: serviceAccountKey(config),
      projectId: 'emulator',
      timeout: TIMEOUT_MS,
      // A failed snapshot is not repeated; the next one is a new attempt.
      retryOptions: { autoRetry: false },
    });
    const authenticated = async () => {
      const identity = await storage.authClient.getClient();
      // The key signs a token itself, so that no token is requested from Google's servers.
      if ('useJWTAccessWithScope' in identity) identity.useJWTAccessWithScope = true;
      return storage.bucket(name);
    };
    return {
      write: async (key, content) =>
        (await authenticated()).file(key).save(content, { resumable: false, validation: 'md5' }),
      read: async function* (key, signal) {
        const bucket = await authenticated();
        yield* addAbortSignal(signal, bucket.file(key).createReadStream()) as AsyncIterable<Uint8Array>;
      },
      list: async function* (prefix, signal) {
        const bucket = await authenticated();
        const files: AsyncIterable<Library.File> = addAbortSignal(signal, bucket.getFilesStream({ prefix }));
        for await (const file of files) yield file.name;
      },
      delete: async (key) => (await authenticated()).file(key).delete(),
      reasonOf: (error) => {
        const { code, message, errors = [] } = error as Library.ApiError;
        if (typeof code !== 'number') return undefined;
        const [first] = errors;
        return `googleapi: Error ${code}: ${first?.message ?? message}${first?.reason ? `, ${first.reason}` : ''}`;
      },
    };
  },
};

/**
 * Returns the key of the configuration, or of the file that the environment names. Other sources,
 * such as metadata servers, are not supported.
 */
function serviceAccountKey(config: SnapshotConfig): object {
  const file = process.env.GOOGLE_APPLICATION_CREDENTIALS;
  const text =
    textOf(config, 'google_service_account_key') || (file ? readPlainFile(file, LONGEST_KEY).toString() : '');
  if (text === '') throw new Error('google: could not find default credentials');
  const key = parse(text);
  if (!key.client_email || !key.private_key) {
    throw new Error('google: the service account key has no client_email or no private_key');
  }
  if (!isPrivateKey(key.private_key)) {
    throw new Error('google: the private_key of the service account key cannot be read');
  }
  return key;
}

function parse(text: string): { client_email?: string; private_key?: string } {
  try {
    return JSON.parse(text) as object;
  } catch {
    // The parser's own message quotes the key.
    throw new Error('google: the service account key is not valid JSON');
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}
