import { Transform, pipeline, type Readable } from 'node:stream';
import {
  AUTO_SNAPSHOT_LOAD_PATH,
  decodeLoadedSnapshot,
  LARGEST_SNAPSHOT,
  parseDuration,
  SNAPSHOT_LOAD,
  SNAPSHOT_LOAD_TIMEOUTS,
  type LoadedSnapshot,
} from '../../model';
import type { Data, KeyList, VaultResponse } from '../answer/responses';
import { type ClientCall, type CallOptions, callToDelete, callToRead, callToWrite } from '../call-options';
import type { Caller } from '../call/caller';
import { VaultError } from '../vault-error';
import { checkedName, listKeys } from './names';

/** The options of an upload. */
export interface LoadOptions extends CallOptions {
  /** The maximum size in bytes; a larger upload fails. Default: 64 GiB. */
  readonly largest?: number;
}

/** The options for the recovery of a secret. */
export interface RecoverOptions extends CallOptions {
  /**
   * The path of the secret in the snapshot, in the same mount. Default: the path that is written.
   * Vault 1.21 or later.
   */
  readonly sourcePath?: string;
}

/**
 * The calls that load snapshots beside the data of a cluster, and that read and recover single
 * secrets from them.
 */
export class LoadedSnapshotCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Uploads a snapshot, which the server then loads. The time limit is half an hour unless
   * `timeout` is set.
   *
   * @param open opens the file; called again for another attempt, if the first one certainly had no
   *   effect.
   * @throws VaultError `invalid_request` if the snapshot is larger than allowed.
   */
  async load(open: () => Readable, options: LoadOptions = {}): Promise<VaultResponse<LoadedSnapshot>> {
    const { largest = LARGEST_SNAPSHOT, timeout = UPLOAD_TIMEOUT, ...others } = options;
    const path = SNAPSHOT_LOAD.path;
    let isTooLarge = false;
    const upload = () => limited(open(), largest, () => (isTooLarge = true));
    try {
      return await this.#described({ ...others, timeout, verb: 'write', method: 'POST', path, upload });
    } catch (error) {
      if (!isTooLarge) throw error;
      const message = `the snapshot has more than ${largest} bytes: allowed are at most as many; set largest to upload it`;
      throw new VaultError({ code: 'invalid_request', path, message });
    }
  }

  /**
   * Makes the server load a snapshot from the storage of a configuration of automated snapshots.
   * The type `local` does not support this.
   *
   * @param url the URL in the status of the configuration.
   */
  loadAutomated(name: string, url: string, options?: CallOptions): Promise<VaultResponse<LoadedSnapshot>> {
    const path = `${AUTO_SNAPSHOT_LOAD_PATH}/${checkedName(name, 'an automated snapshot')}`;
    return this.#described(callToWrite(path, { url }, options, { publicBody: true }));
  }

  /** Lists the ids. A server loads one snapshot at a time. */
  list(options?: CallOptions): Promise<VaultResponse<KeyList>> {
    return listKeys(this.#caller, SNAPSHOT_LOAD.path, options);
  }

  /** @returns `undefined` if no snapshot with that id is loaded. */
  async read(id: string, options?: CallOptions): Promise<VaultResponse<LoadedSnapshot> | undefined> {
    const call = callToRead(pathOf(id), options);
    const response = await this.#caller.find(call);
    return response && { ...response, data: this.#decoded(response.data, call) };
  }

  /** Unloads a snapshot. Succeeds if it is not loaded. */
  unload(id: string, options?: CallOptions): Promise<VaultResponse> {
    // Servers that support it also unload a snapshot that is still being loaded.
    return this.#caller.send(callToDelete(pathOf(id), { ...options, query: { force: 'true' } }));
  }

  /**
   * Reads a secret from a loaded snapshot. A server that does not support loaded snapshots returns
   * the present one.
   *
   * @returns `undefined` if the snapshot has nothing at the path.
   */
  readSecret(id: string, path: string, options?: CallOptions): Promise<VaultResponse | undefined> {
    return this.#caller.find(callToRead(path, { ...options, query: { read_snapshot_id: id } }));
  }

  /** Replaces a secret by its value in the snapshot. */
  recover(id: string, path: string, options: RecoverOptions = {}): Promise<VaultResponse> {
    const { sourcePath, ...rest } = options;
    return this.#caller.send({
      ...rest,
      verb: 'write',
      method: 'POST',
      path,
      // Vault 1.20 reads the id from the query alone; later versions discourage that.
      query: { recover_snapshot_id: id },
      headers: {
        'x-vault-recover-snapshot-id': id,
        ...(sourcePath !== undefined && { 'x-vault-recover-source-path': sourcePath }),
      },
      repeatable: true,
    });
  }

  async #described(call: ClientCall): Promise<VaultResponse<LoadedSnapshot>> {
    const response = await this.#caller.send(call);
    return { ...response, data: this.#decoded(response.data, call) };
  }

  #decoded(data: Data, call: ClientCall): LoadedSnapshot {
    const decoded = decodeLoadedSnapshot(data);
    if (decoded === undefined) throw this.#caller.misshapen(call, 'loaded snapshot with an id and a status');
    return decoded;
  }
}

const UPLOAD_TIMEOUT = parseDuration(SNAPSHOT_LOAD_TIMEOUTS.create.default);

/** Returns the stream, which fails once it has more bytes than allowed. */
function limited(stream: Readable, largest: number, onTooLarge: () => void): Readable {
  let length = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length <= largest) return done(null, chunk);
      onTooLarge();
      done(new Error('too large'));
    },
  });
  // The pipeline destroys both streams on an error, which the request then reports.
  pipeline(stream, counted, () => {});
  return counted;
}

function pathOf(id: string): string {
  return `${SNAPSHOT_LOAD.path}/${checkedName(id, 'a loaded snapshot')}`;
}
