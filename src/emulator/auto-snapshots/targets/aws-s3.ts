import type * as Library from '@aws-sdk/client-s3';
import type { SnapshotConfig } from '../store';
import type { Cloud } from './cloud-target';
import { loadLibrary } from '../../core/load-library';
import { textOf } from './target';

/** AWS S3. */
export const AWS_S3: Cloud = {
  scheme: 's3',
  bucket: 'aws_s3_bucket',
  endpoint: 'aws_s3_endpoint',
  disableTls: 'aws_s3_disable_tls',
  addsSlash: true,
  open: (config, bucket, endpoint) => {
    const library = loadLibrary('@aws-sdk/client-s3') as typeof Library;
    const client = new library.S3Client({
      region: textOf(config, 'aws_s3_region'),
      endpoint,
      forcePathStyle: config.aws_s3_force_path_style === true,
      credentials: credentialsOf(config),
      // A failed snapshot is not repeated; the next one is a new attempt.
      maxAttempts: 1,
    });
    const object = (key: string) => ({ Bucket: bucket, Key: key });
    return {
      write: (key, content, abortSignal) =>
        client.send(
          new library.PutObjectCommand({ ...object(key), Body: content, ...encryptionIn(config) }),
          { abortSignal },
        ),
      read: async function* (key, abortSignal) {
        const { Body: body } = await client.send(new library.GetObjectCommand(object(key)), { abortSignal });
        if (body) yield* body as AsyncIterable<Uint8Array>;
      },
      list: async function* (prefix, abortSignal) {
        const wanted = { Bucket: bucket, Prefix: prefix };
        for await (const { Contents: objects = [] } of library.paginateListObjectsV2({ client }, wanted, {
          abortSignal,
        }))
          yield* objects.map(({ Key: key = '' }) => key);
      },
      delete: (key, abortSignal) =>
        client.send(new library.DeleteObjectCommand(object(key)), { abortSignal }),
      reasonOf: (error) => {
        const { name, message, $metadata: metadata } = error as Library.S3ServiceException;
        if (metadata?.httpStatusCode === undefined) return undefined;
        return `${name}: ${message}\n\tstatus code: ${metadata.httpStatusCode}, request id: ${metadata.requestId ?? ''}`;
      },
      close: () => client.destroy(),
    };
  },
};

function encryptionIn(config: SnapshotConfig) {
  const { aws_s3_enable_kms: kms, aws_s3_server_side_encryption: aes } = config;
  return {
    ...(aes === true && { ServerSideEncryption: 'AES256' as const }),
    ...(kms === true && {
      ServerSideEncryption: 'aws:kms' as const,
      SSEKMSKeyId: textOf(config, 'aws_s3_kms_key') || undefined,
    }),
  };
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
