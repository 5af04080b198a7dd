import type * as Library from '@google-cloud/storage';
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerFlavour } from '../../core/backend';
import type { SnapshotConfig } from '../store';
import { loadLibrary, type SnapshotTarget, endpointUrl, isSnapshotName, textOf, unanswered } from './target';

/** The library's own, for it cannot be told to stop. */
const TIMEOUT_MS = 10_000;

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
    return this.#ask(async (bucket) => {
      const [content] = await bucket.file(this.#prefix + name).download();
      return content;
    });
  }

  list(): Promise<readonly string[]> {
    return this.#ask(async (bucket) => {
      const [files] = await bucket.getFiles({ prefix: `${this.#prefix}${this.#config.file_prefix}-` });
      const names = files.map(({ name }) => name.slice(this.#prefix.length));
      return names.filter((name) => isSnapshotName(this.#config, name));
    });
  }

  async delete(name: string): Promise<void> {
    await this.#ask((bucket) => bucket.file(this.#prefix + name).delete());
  }

  async #ask<T>(question: (bucket: Library.Bucket) => Promise<T>): Promise<T> {
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
      // The next snapshot is the next try.
      retryOptions: { autoRetry: false },
    });
    try {
      const identity = await storage.authClient.getClient();
      // A token that the key signs itself, in place of one that Google's servers would have to be asked for.
      if ('useJWTAccessWithScope' in identity) identity.useJWTAccessWithScope = true;
      return await question(storage.bucket(this.#bucket));
    } catch (error) {
      throw reason(error, endpoint);
    }
  }
}

/** The configuration's, or the one that the environment names. Other sources, such as metadata servers, are not asked. */
function serviceAccountKey(config: SnapshotConfig): object {
  const file = process.env.GOOGLE_APPLICATION_CREDENTIALS;
  const text = textOf(config, 'google_service_account_key') || (file ? readFileSync(file, 'utf8') : '');
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

/** In the form of the server's own library: status, text and reason. */
function reason(error: unknown, endpoint: string): Error {
  const { code, message, errors = [] } = error as Library.ApiError;
  if (typeof code !== 'number') return unanswered(error, endpoint);
  const [first] = errors;
  return new Error(
    `googleapi: Error ${code}: ${first?.message ?? message}${first?.reason ? `, ${first.reason}` : ''}`,
  );
}
