import { VaultError, type VaultClient, type VaultResponse } from '../../../client';
import type { Find, FoundObject } from '../../../inventory';
import { objectTitle, type ObjectDefinition } from '../../../model';
import type { EstateReads } from './estate-reads';
import type { Remarks } from './remarks';

/** A namespace of a cluster, whose objects are adopted. */
export class AdoptedNamespace {
  readonly #reads: EstateReads;

  constructor(
    readonly cluster: string,
    /** The path relative to the namespace of the cluster's settings; empty for that namespace. */
    readonly namespace: string,
    readonly client: VaultClient,
    readonly remarks: Remarks,
    reads: EstateReads,
  ) {
    this.#reads = reads;
  }

  /** Returns the subject of a remark: `managed keys in namespace "team"`. */
  subject(what: string): string {
    return this.namespace === '' ? what : `${what} in namespace ${JSON.stringify(this.namespace)}`;
  }

  /** Finds the objects of a kind in this namespace, and reads each of them. */
  async readAll<F extends FoundObject, S>(
    what: string,
    definition: ObjectDefinition,
    find: Find<F>,
    read: (found: F) => Promise<VaultResponse<S> | undefined>,
  ): Promise<readonly S[]> {
    const list = await this.attempt(what, definition, () => find(this.client));
    const objects = await Promise.all(
      (list?.data ?? []).map((found) =>
        this.attempt(objectTitle(definition, found.name), definition, () => read(found)),
      ),
    );
    return objects.flatMap((object) => (object ? [object.data] : []));
  }

  /**
   * Reads from this namespace. Failures of the server become remarks.
   *
   * @returns `undefined` if it could not be read, or the server does not support it.
   */
  async attempt<T>(
    what: string,
    { edition }: ObjectDefinition,
    read: () => Promise<T>,
  ): Promise<T | undefined> {
    const { cluster, namespace, remarks } = this;
    return remarks.attempt(cluster, this.subject(what), async () => {
      try {
        return await this.#reads.read(read);
      } catch (error) {
        // Every edition has these objects, so the error means that the namespace does not exist.
        if (edition === 'community' || !isNotOffered(error)) throw error;
        // Other namespaces are not mentioned: perhaps only the root namespace can have such
        // objects.
        if (namespace === '') {
          remarks.notes.push({ cluster, subject: what, text: 'the server does not support them' });
        }
        return undefined;
      }
    });
  }
}

function isNotOffered(error: unknown): boolean {
  return (
    VaultError.is(error) &&
    ['namespace_missing', 'unsupported_path', 'unsupported_operation'].includes(error.code)
  );
}
