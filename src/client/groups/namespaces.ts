import { NAMESPACE, type NamespaceValues } from '../../model';
import { isRecord, trimmedEnd } from '../../text';
import type { KeyList, VaultResponse } from '../answer/responses';
import { type CallOptions, callToDelete, callToRead } from '../call-options';
import type { Caller } from '../call/caller';
import { checkedName, listKeys } from './names';

/** The fields of a namespace. */
export type NamespaceFields = NamespaceValues;

/** A namespace as the server returns it. */
export interface StoredNamespace {
  /** The id that the server gave it. Empty if the server does not return it. */
  readonly namespace_id: string;
  readonly custom_metadata: Readonly<Record<string, string>>;
}

/**
 * The calls on the namespaces directly below that of the client. Their names are single segments: a
 * client for a namespace reaches the namespaces below it.
 */
export class NamespaceCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists the names, without slashes. */
  async list(options?: CallOptions): Promise<VaultResponse<KeyList>> {
    const response = await listKeys(this.#caller, NAMESPACE.path, options);
    return { ...response, data: { keys: response.data.keys.map((key) => trimmedEnd(key, '/')) } };
  }

  /** @returns `undefined` if the namespace does not exist. */
  async read(name: string, options?: CallOptions): Promise<VaultResponse<StoredNamespace> | undefined> {
    const call = callToRead(pathOf(name), options);
    const response = await this.#caller.find(call);
    if (!response) return undefined;
    const { id, path, custom_metadata: metadata } = response.data;
    if (typeof id !== 'string' && typeof path !== 'string') {
      throw this.#caller.misshapen(call, `${NAMESPACE.title} with an id or a path`);
    }
    const namespace_id = typeof id === 'string' ? id : '';
    return { ...response, data: { namespace_id, custom_metadata: textsIn(metadata) } };
  }

  /** Creates a namespace, or replaces the metadata of an existing one. */
  async write(name: string, fields: NamespaceFields = {}, options?: CallOptions): Promise<VaultResponse> {
    const body = { ...fields };
    return this.#caller.send({ ...options, verb: 'write', method: 'POST', path: pathOf(name), body });
  }

  /** Changes metadata of a namespace: a text sets an entry, and `null` removes it. */
  async patch(
    name: string,
    metadata: Readonly<Record<string, string | null>>,
    options?: CallOptions,
  ): Promise<VaultResponse> {
    const body = { custom_metadata: metadata };
    return this.#caller.send({ ...options, verb: 'patch', method: 'PATCH', path: pathOf(name), body });
  }

  /**
   * Deletes a namespace with everything in it. Succeeds if it does not exist; fails while there are
   * namespaces below it.
   */
  async delete(name: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#caller.send(callToDelete(pathOf(name), options));
  }
}

function pathOf(name: string): string {
  return `${NAMESPACE.path}/${checkedName(name, `a ${NAMESPACE.title}`)}`;
}

function textsIn(metadata: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(metadata) ? Object.entries(metadata) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
