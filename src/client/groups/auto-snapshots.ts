import {
  AUTO_SNAPSHOT,
  AUTO_SNAPSHOT_BACKENDS,
  decodeAutoSnapshot,
  decodeSnapshotStatus,
  fromProduct,
  SNAPSHOT_STATUS_PATH,
  toProduct,
  tryParseDuration,
  type AutoSnapshotValues,
  type FieldValues,
  type SnapshotStatus,
  type Translation,
} from '../../model';
import type { KeyList, VaultResponse } from '../answer/responses';
import { type ClientCall, type CallOptions, callToDelete, callToRead, callToWrite } from '../call-options';
import type { Caller } from '../call/caller';
import { checkedName, listKeys } from './names';

/**
 * The fields of a write of a configuration, with Vault's names. A field that an update leaves out
 * keeps its value on the server; an empty text, `false` or 0 clears it.
 */
export type AutoSnapshotFields = AutoSnapshotValues;

/**
 * A configuration as the server returns it: the fields of its storage type that are set. Secrets
 * are in plain text.
 */
export type AutoSnapshot = Omit<AutoSnapshotFields, 'interval'> & {
  readonly name: string;
  /** The interval in seconds. */
  readonly interval: number;
};

/** The calls on configurations of automated snapshots. All except `status` require sudo. */
export class AutoSnapshotCalls {
  readonly #caller: Caller;
  readonly #fromServer: Translation;
  readonly #toServer: Translation;

  constructor(caller: Caller) {
    const { dialect } = caller.settings;
    this.#caller = caller;
    this.#fromServer = toProduct(dialect, AUTO_SNAPSHOT.name);
    this.#toServer = fromProduct(dialect, AUTO_SNAPSHOT.name);
  }

  /** @returns `undefined` if the configuration does not exist. */
  async read(name: string, options?: CallOptions): Promise<VaultResponse<AutoSnapshot> | undefined> {
    const call = callToRead(`${AUTO_SNAPSHOT.path}/${checked(name)}`, options);
    const response = await this.#caller.find(call);
    if (!response) return undefined;
    const stored = decodeAutoSnapshot(this.#fromServer.fields(response.data));
    return { ...response, data: this.#typed({ ...stored, name }, call) };
  }

  /** Creates or updates a configuration. The first snapshot is taken one interval later. */
  async write(
    name: string,
    fields: Partial<AutoSnapshotFields>,
    options?: CallOptions,
  ): Promise<VaultResponse> {
    const path = `${AUTO_SNAPSHOT.path}/${checked(name)}`;
    const body = this.#toServer.fields({ ...fields });
    return this.#caller.send(callToWrite(path, body, options, { repeatable: true }));
  }

  /** Deletes a configuration. Succeeds if it does not exist. Its snapshots remain. */
  async delete(name: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#caller.send(callToDelete(`${AUTO_SNAPSHOT.path}/${checked(name)}`, options));
  }

  /** Lists the names. */
  list(options?: CallOptions): Promise<VaultResponse<KeyList>> {
    return listKeys(this.#caller, AUTO_SNAPSHOT.path, options);
  }

  /**
   * Reads the results of the snapshots. Before the first attempt, the server returns only the time
   * of that attempt, or nothing.
   *
   * @returns `undefined` if the configuration does not exist.
   */
  async status(name: string, options?: CallOptions): Promise<VaultResponse<SnapshotStatus> | undefined> {
    const response = await this.#caller.find(callToRead(`${SNAPSHOT_STATUS_PATH}/${checked(name)}`, options));
    return response && { ...response, data: decodeSnapshotStatus(response.data) };
  }

  /** Checks the fields that every configuration has. */
  #typed(stored: FieldValues, call: ClientCall): AutoSnapshot {
    const interval = tryParseDuration(stored.interval);
    const isKnownType = Object.keys(AUTO_SNAPSHOT_BACKENDS).some((type) => type === stored.storage_type);
    if (interval === undefined || !isKnownType) {
      throw this.#caller.misshapen(call, `${AUTO_SNAPSHOT.title} with a known storage_type and an interval`);
    }
    return { path_prefix: '', ...stored, interval } as AutoSnapshot;
  }
}

function checked(name: string): string {
  return checkedName(name, `an ${AUTO_SNAPSHOT.title}`);
}
