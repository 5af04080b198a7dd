import type { Storage } from '../../core/primitives/storage';
import { recordOf } from '../records';
import type { SnapshotTarget } from './target';

/** Records snapshots instead of writing them to a cloud. */
export class RecordedTarget implements SnapshotTarget {
  readonly #cloud: SnapshotTarget;
  readonly #records: Storage;

  constructor(cloud: SnapshotTarget, records: Storage) {
    this.#cloud = cloud;
    this.#records = records;
  }

  url(name: string): string {
    return this.#cloud.url(name);
  }

  async write(name: string, content: Buffer): Promise<void> {
    this.#records.put(name, recordOf(this.url(name), content));
  }

  read(): Promise<Buffer> {
    return Promise.reject(
      new Error('the snapshot was only recorded: the emulator did not connect to a cloud'),
    );
  }

  async list(): Promise<readonly string[]> {
    return this.#records.list('');
  }

  async delete(name: string): Promise<void> {
    this.#records.delete(name);
  }
}
