import type * as Library from '@azure/storage-blob';
import type { SnapshotConfig } from '../store';
import type { Cloud } from './cloud-target';
import { loadLibrary } from '../../core/load-library';
import { textOf } from './target';

/** Azure Blob Storage. */
export const AZURE_BLOB: Cloud = {
  scheme: 'azblob',
  bucket: 'azure_container_name',
  endpoint: 'azure_endpoint',
  open: (config, bucket, endpoint) => {
    const library = loadLibrary('@azure/storage-blob') as typeof Library;
    const service = new library.BlobServiceClient(endpoint, credentialOf(config, library), {
      // A failed snapshot is not repeated; the next one is a new attempt.
      retryOptions: { maxTries: 1 },
    });
    const container = service.getContainerClient(bucket);
    return {
      write: (key, content, abortSignal) =>
        container.getBlockBlobClient(key).uploadData(content, { abortSignal }),
      read: async function* (key, abortSignal) {
        const blob = container.getBlobClient(key);
        const { readableStreamBody: body } = await blob.download(0, undefined, { abortSignal });
        if (body) yield* body as AsyncIterable<Uint8Array>;
      },
      list: async function* (prefix, abortSignal) {
        for await (const { name } of container.listBlobsFlat({ prefix, abortSignal })) yield name;
      },
      delete: (key, abortSignal) => container.deleteBlob(key, { abortSignal }),
      reasonOf: (error) => {
        const { statusCode, code, message } = error as Library.RestError;
        if (statusCode === undefined) return undefined;
        const [firstLine = ''] = message.split('\n');
        return `RESPONSE ${statusCode}: ${firstLine}\nERROR CODE: ${code ?? ''}`;
      },
    };
  },
};

function credentialOf(config: SnapshotConfig, { StorageSharedKeyCredential }: typeof Library) {
  const mode = textOf(config, 'azure_auth_mode') || 'shared';
  if (mode !== 'shared') {
    throw new Error(`azure_auth_mode "${mode}": the emulator does not connect to identity services`);
  }
  const account = textOf(config, 'azure_account_name');
  const key = textOf(config, 'azure_account_key');
  if (account === '' || key === '') {
    throw new Error('azure_account_name and azure_account_key are required');
  }
  return new StorageSharedKeyCredential(account, key);
}
