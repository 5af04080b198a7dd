import type * as Library from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import type { ServerFlavour } from '../../core/backend';
import type { SnapshotConfig } from '../store';
import { loadLibrary } from '../../core/load-library';
import {
  withinDeadline,
  type SnapshotTarget,
  endpointUrl,
  folderPrefix,
  contentWithin,
  snapshotNames,
  textOf,
  unanswered,
} from './target';

/** The client of the AWS SDK that requests to the bucket are made with. */
interface BucketAccess {
  readonly client: Library.S3Client;
  readonly library: typeof Library;
  readonly abortSignal: AbortSignal;
}

/** A bucket of AWS S3, or of a compatible service. */
export class AwsS3Target implements SnapshotTarget {
  readonly #bucket: string;
  readonly #prefix: string;

  readonly #config: SnapshotConfig;

  readonly #server: ServerFlavour;

  constructor(config: SnapshotConfig, server: ServerFlavour) {
    this.#server = server;
    this.#config = config;
    this.#bucket = textOf(config, 'aws_s3_bucket');
    this.#prefix = folderPrefix(config);
  }

  url(name: string): string {
    return this.#server.assumed('snapshotUrls').url('s3', this.#bucket, this.#prefix + name);
  }

  async write(name: string, content: Buffer): Promise<void> {
    const { aws_s3_enable_kms: kms, aws_s3_server_side_encryption: aes } = this.#config;
    await this.#ask(({ client, library: { PutObjectCommand }, abortSignal }) =>
      client.send(
        new PutObjectCommand({
          Bucket: this.#bucket,
          Key: this.#prefix + name,
          Body: content,
          ...(aes === true && { ServerSideEncryption: 'AES256' }),
          ...(kms === true && {
            ServerSideEncryption: 'aws:kms',
            SSEKMSKeyId: textOf(this.#config, 'aws_s3_kms_key') || undefined,
          }),
        }),
        { abortSignal },
      ),
    );
  }

  read(name: string): Promise<Buffer> {
    return this.#ask(async ({ client, library: { GetObjectCommand }, abortSignal }) => {
      const { Body: body } = await client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + name }),
        { abortSignal },
      );
      return contentWithin((body as AsyncIterable<Uint8Array> | undefined) ?? Readable.from([]));
    });
  }

  list(): Promise<readonly string[]> {
    return this.#ask(async ({ client, library, abortSignal }) => {
      const pages = library.paginateListObjectsV2(
        { client },
        { Bucket: this.#bucket, Prefix: `${this.#prefix}${this.#config.file_prefix}-` },
        { abortSignal },
      );
      return snapshotNames(this.#config, this.#namesIn(pages));
    });
  }

  async *#namesIn(pages: AsyncIterable<Library.ListObjectsV2CommandOutput>): AsyncIterable<string> {
    for await (const { Contents: objects = [] } of pages)
      yield* objects.map(({ Key: key = '' }) => key.slice(this.#prefix.length));
  }

  async delete(name: string): Promise<void> {
    await this.#ask(({ client, library: { DeleteObjectCommand }, abortSignal }) =>
      client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + name }), {
        abortSignal,
      }),
    );
  }

  async #ask<T>(question: (access: BucketAccess) => Promise<T>): Promise<T> {
    const library = loadLibrary('@aws-sdk/client-s3') as typeof Library;
    const config = this.#config;
    const endpoint = endpointUrl(textOf(config, 'aws_s3_endpoint'), config.aws_s3_disable_tls === true);
    const client = new library.S3Client({
      region: textOf(config, 'aws_s3_region'),
      endpoint,
      forcePathStyle: config.aws_s3_force_path_style === true,
      credentials: credentialsOf(config),
      // A failed snapshot is not repeated; the next one is a new attempt.
      maxAttempts: 1,
    });
    try {
      return await withinDeadline((abortSignal) => question({ client, library, abortSignal }));
    } catch (error) {
      throw reason(error, endpoint);
    } finally {
      client.destroy();
    }
  }
}

/**
 * Returns the credentials of the configuration, or of the environment. Other sources, such as
 * instance profiles, are not supported.
 */
function credentialsOf(config: SnapshotConfig) {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  const accessKeyId = textOf(config, 'aws_access_key_id');
  const secretAccessKey = textOf(config, 'aws_secret_access_key');
  if (accessKeyId !== '' && secretAccessKey !== '') {
    return { accessKeyId, secretAccessKey, sessionToken: textOf(config, 'aws_session_token') || undefined };
  }
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    };
  }
  throw new Error('NoCredentialProviders: no valid providers in chain');
}

/** Converts an error to the format of the AWS library for Go: code, text, status and request. */
function reason(error: unknown, endpoint: string): Error {
  const { name, message, $metadata: metadata } = error as Library.S3ServiceException;
  if (metadata?.httpStatusCode === undefined) return unanswered(error, endpoint);
  return new Error(
    `${name}: ${message}\n\tstatus code: ${metadata.httpStatusCode}, request id: ${metadata.requestId ?? ''}`,
  );
}
