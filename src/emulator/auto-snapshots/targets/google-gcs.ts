import type * as Library from '@google-cloud/storage';
import { createPrivateKey } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { readPlainFile } from '../../../files';
import type { ServerFlavour } from '../../core/backend';
import type { SnapshotConfig } from '../store';
import { loadLibrary } from '../../core/load-library';
import {
  contentWithin,
  endpointUrl,
  snapshotNames,
  type SnapshotTarget,
  textOf,
  unanswered,
  withinDeadline,
} from './target';

/** The limit for each request of the library, which cannot be cancelled. */
const TIMEOUT_MS = 10_000;
/** The maximum size of the file of a service account key. */
const LONGEST_KEY = 64 * 1024;

/** A bucket of Google Cloud Storage, or of a compatible service. */
export class GoogleGcsTarget implements SnapshotTarget {
  readonly #bucket: string;
  readonly #prefix: string;

  readonly #config: SnapshotConfig;

  readonly #server: ServerFlavour;

  constructor(config: SnapshotConfig, server: ServerFlavour) {
    this.#server = server;
    this.#config = config;
    this.#bucket = textOf(config, 'google_gcs_bucket');
    this.#prefix = server.assumed('snapshotPathPrefix').folder(config.path_prefix);
  }

  url(name: string): string {
    return this.#server.assumed('snapshotUrls').url('gs', this.#bucket, this.#prefix + name);
  }

  async write(name: string, content: Buffer): Promise<void> {
    await this.#ask((bucket) =>
      bucket.file(this.#prefix + name).save(content, { resumable: false, validation: 'md5' }),
    );
  }

  read(name: string): Promise<Buffer> {
    return this.#ask((bucket, abortSignal) =>
      contentWithin(addAbortSignal(abortSignal, bucket.file(this.#prefix + name).createReadStream())),
    );
  }

  list(): Promise<readonly string[]> {
    return this.#ask((bucket, abortSignal) => {
      const prefix = `${this.#prefix}${this.#config.file_prefix}-`;
      const files = addAbortSignal(abortSignal, bucket.getFilesStream({ prefix }));
      return snapshotNames(this.#config, this.#namesOf(files));
    });
  }

  async *#namesOf(files: AsyncIterable<Library.File>): AsyncIterable<string> {
    for await (const { name } of files) yield name.slice(this.#prefix.length);
  }

  async delete(name: string): Promise<void> {
    await this.#ask((bucket) => bucket.file(this.#prefix + name).delete());
  }

  async #ask<T>(question: (bucket: Library.Bucket, abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const { Storage } = loadLibrary('@google-cloud/storage') as typeof Library;
    const endpoint = endpointUrl(
      textOf(this.#config, 'google_endpoint'),
      this.#config.google_disable_tls === true,
    );
    const storage = new Storage({
      apiEndpoint: endpoint,
      useAuthWithCustomEndpoint: true,
      credentials: serviceAccountKey(this.#config),
      projectId: 'emulator',
      timeout: TIMEOUT_MS,
      // A failed snapshot is not repeated; the next one is a new attempt.
      retryOptions: { autoRetry: false },
    });
    try {
      return await withinDeadline(async (abortSignal) => {
        const identity = await storage.authClient.getClient();
        // The key signs a token itself, so that no token is requested from Google's servers.
        if ('useJWTAccessWithScope' in identity) identity.useJWTAccessWithScope = true;
        return question(storage.bucket(this.#bucket), abortSignal);
      });
    } catch (error) {
      throw reason(error, endpoint);
    }
  }
}

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

/** Converts an error to the format of the Google library for Go: status, text and reason. */
function reason(error: unknown, endpoint: string): Error {
  const { code, message, errors = [] } = error as Library.ApiError;
  if (typeof code !== 'number') return unanswered(error, endpoint);
  const [first] = errors;
  return new Error(
    `googleapi: Error ${code}: ${first?.message ?? message}${first?.reason ? `, ${first.reason}` : ''}`,
  );
}
