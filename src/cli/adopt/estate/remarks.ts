import { VaultError } from '../../../client';
import type { ReadingNotes } from '../../clusters/namespaces-of-cluster';

/** A remark that `adopt` prints at its end. */
export interface Remark {
  readonly cluster: string;
  /** The subject, such as `managed keys` or `ACL policy "ops"`. */
  readonly subject: string;
  readonly text: string;
}

/** The remarks of an adoption, by kind. */
export class Remarks {
  /** Objects that exist, but cannot be declared. */
  readonly leftOut: Remark[] = [];
  /** Objects that could not be read, so that it is unknown whether they exist. */
  readonly unread: Remark[] = [];
  /** Information; nothing is missing. */
  readonly notes: Remark[] = [];

  /**
   * Runs a read. A failure of the server becomes a remark.
   *
   * @returns `undefined` if the read failed.
   */
  async attempt<T>(cluster: string, subject: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!VaultError.is(error)) throw error;
      this.unread.push({ cluster, subject, text: error.message });
      return undefined;
    }
  }

  /** Returns the notes about one cluster. */
  of(cluster: string): ReadingNotes {
    return {
      attempt: (subject, read) => this.attempt(cluster, subject, read),
      note: (subject, text) => this.unread.push({ cluster, subject, text }),
    };
  }
}
