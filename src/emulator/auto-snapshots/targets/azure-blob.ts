import type * as Library from '@azure/storage-blob';
import { Readable } from 'node:stream';
import type { ServerFlavour } from '../../core/backend';
import type { SnapshotConfig } from '../store';
import { loadLibrary } from '../../core/load-library';
import {
  withinDeadline,
  type SnapshotTarget,
  endpointUrl,
  contentWithin,
  snapshotNames,
  textOf,
  unanswered,
} from './target';

/** A container of Azure Blob Storage, or of a compatible service. */
export class AzureBlobTarget implements SnapshotTarget {
  readonly #container: string;
  readonly #prefix: string;

  readonly #config: SnapshotConfig;

  readonly #server: ServerFlavour;

  constructor(config: SnapshotConfig, server: ServerFlavour) {
    this.#server = server;
    this.#config = config;
    this.#container = textOf(config, 'azure_container_name');
    this.#prefix = server.assumed('snapshotPathPrefix').folder(config.path_prefix);
  }

  url(name: string): string {
    return this.#server.assumed('snapshotUrls').url('azblob', this.#container, this.#prefix + name);
  }

  async write(name: string, content: Buffer): Promise<void> {
    await this.#ask((container, abortSignal) =>
      container.getBlockBlobClient(this.#prefix + name).uploadData(content, { abortSignal }),
    );
  }

  read(name: string): Promise<Buffer> {
    return this.#ask(async (container, abortSignal) => {
      const blob = container.getBlobClient(this.#prefix + name);
      const { readableStreamBody: body } = await blob.download(0, undefined, { abortSignal });
      return contentWithin((body as AsyncIterable<Uint8Array> | undefined) ?? Readable.from([]));
    });
  }

  list(): Promise<readonly string[]> {
    return this.#ask(async (container, abortSignal) => {
      const prefix = `${this.#prefix}${this.#config.file_prefix}-`;
      const blobs = container.listBlobsFlat({ prefix, abortSignal });
      return snapshotNames(this.#config, this.#namesOf(blobs));
    });
  }

  async *#namesOf(blobs: AsyncIterable<Library.BlobItem>): AsyncIterable<string> {
    for await (const { name } of blobs) yield name.slice(this.#prefix.length);
  }

  async delete(name: string): Promise<void> {
    await this.#ask((container, abortSignal) => container.deleteBlob(this.#prefix + name, { abortSignal }));
  }

  async #ask<T>(
    question: (container: Library.ContainerClient, abortSignal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const library = loadLibrary('@azure/storage-blob') as typeof Library;
    const endpoint = endpointUrl(textOf(this.#config, 'azure_endpoint'), false);
    const service = new library.BlobServiceClient(endpoint, this.#credential(library), {
      // A failed snapshot is not repeated; the next one is a new attempt.
      retryOptions: { maxTries: 1 },
    });
    const container = service.getContainerClient(this.#container);
    try {
      return await withinDeadline((abortSignal) => question(container, abortSignal));
    } catch (error) {
      throw reason(error, endpoint);
    }
  }

  #credential({ StorageSharedKeyCredential }: typeof Library) {
    const mode = textOf(this.#config, 'azure_auth_mode') || 'shared';
    if (mode !== 'shared') {
      throw new Error(`azure_auth_mode "${mode}": the emulator does not connect to identity services`);
    }
    const account = textOf(this.#config, 'azure_account_name');
    const key = textOf(this.#config, 'azure_account_key');
    if (account === '' || key === '') {
      throw new Error('azure_account_name and azure_account_key are required');
    }
    return new StorageSharedKeyCredential(account, key);
  }
}

/** Converts an error to the format of the Azure library for Go: status, text and code. */
function reason(error: unknown, endpoint: string): Error {
  const { statusCode, code, message } = error as Library.RestError;
  if (statusCode === undefined) return unanswered(error, endpoint);
  const [firstLine = ''] = message.split('\n');
  return new Error(`RESPONSE ${statusCode}: ${firstLine}\nERROR CODE: ${code ?? ''}`);
}
