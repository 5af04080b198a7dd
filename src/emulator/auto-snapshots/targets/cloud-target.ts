import type { Scheme } from '../../assume/snapshots';
import type { ServerFlavour } from '../../core/backend';
import type { SnapshotConfig } from '../store';
import {
  contentWithin,
  endpointUrl,
  snapshotNames,
  type SnapshotTarget,
  textOf,
  unanswered,
  withinDeadline,
} from './target';

/** A cloud. `bucket`, `endpoint` and `disableTls` are names of fields of a configuration. */
export interface Cloud {
  /** The scheme of URLs. */
  readonly scheme: Scheme;
  readonly bucket: string;
  readonly endpoint: string;
  readonly disableTls?: string;
  /** Whether Vault adds a missing slash to `path_prefix`. */
  readonly addsSlash?: boolean;
  /** @throws Error if the configuration has no credentials that can be used. */
  open(config: SnapshotConfig, bucket: string, endpoint: string): CloudObjects;
}

/** The objects in a bucket or a container. */
export interface CloudObjects {
  write(key: string, content: Buffer, signal: AbortSignal): Promise<unknown>;
  read(key: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Returns the keys that begin with the prefix. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<string>;
  delete(key: string, signal: AbortSignal): Promise<unknown>;
  /**
   * Returns the reason in the format of the cloud's library for Go; `undefined` if the service did
   * not answer.
   */
  reasonOf(error: unknown): string | undefined;
  close?(): void;
}

/** A bucket or a container of a cloud, or of a compatible service. */
export class CloudTarget implements SnapshotTarget {
  readonly #cloud: Cloud;
  readonly #config: SnapshotConfig;
  readonly #server: ServerFlavour;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(cloud: Cloud, config: SnapshotConfig, server: ServerFlavour) {
    const { path_prefix: prefix } = config;
    this.#cloud = cloud;
    this.#config = config;
    this.#server = server;
    this.#bucket = textOf(config, cloud.bucket);
    this.#prefix = cloud.addsSlash
      ? prefix.replace(/(?<!\/)$/, '/')
      : server.assumed('snapshotPathPrefix').folder(prefix);
  }

  url(name: string): string {
    return this.#server.assumed('snapshotUrls').url(this.#cloud.scheme, this.#bucket, this.#prefix + name);
  }

  async write(name: string, content: Buffer): Promise<void> {
    await this.#ask((objects, signal) => objects.write(this.#prefix + name, content, signal));
  }

  read(name: string): Promise<Buffer> {
    return this.#ask((objects, signal) => contentWithin(objects.read(this.#prefix + name, signal)));
  }

  list(): Promise<readonly string[]> {
    const prefix = `${this.#prefix}${this.#config.file_prefix}-`;
    return this.#ask((objects, signal) =>
      snapshotNames(this.#config, this.#namesOf(objects.list(prefix, signal))),
    );
  }

  async *#namesOf(keys: AsyncIterable<string>): AsyncIterable<string> {
    for await (const key of keys) yield key.slice(this.#prefix.length);
  }

  async delete(name: string): Promise<void> {
    await this.#ask((objects, signal) => objects.delete(this.#prefix + name, signal));
  }

  async #ask<T>(question: (objects: CloudObjects, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { endpoint: address, disableTls = '' } = this.#cloud;
    const endpoint = endpointUrl(textOf(this.#config, address), this.#config[disableTls] === true);
    const objects = this.#cloud.open(this.#config, this.#bucket, endpoint);
    try {
      return await withinDeadline((signal) => question(objects, signal));
    } catch (error) {
      const reason = objects.reasonOf(error);
      throw reason === undefined ? unanswered(error, endpoint) : new Error(reason);
    } finally {
      objects.close?.();
    }
  }
}
