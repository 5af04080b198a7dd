import { VaultError } from '../../../client';
import type { ReadingNotes } from '../../clusters/namespaces-of-cluster';

/** A remark that `adopt` prints at its end. */
export interface Remark {
  readonly cluster: string;
  /** `managed keys`, `ACL policy "ops"`. */
  readonly subject: string;
  readonly text: string;
}

/** The remarks of an adoption, by kind. */
export class Remarks {
  /** The object exists, but cannot be declared. */
  readonly leftOut: Remark[] = [];
  /** It could not be read, so it is unknown whether anything exists. */
  readonly unread: Remark[] = [];
  /** For information; nothing is missing. */
  readonly notes: Remark[] = [];

  /**
   * Reads something. A failure of the server becomes a remark.
   *
   * @returns `undefined` if it could not be read.
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

  /** The notes about one cluster. */
  of(cluster: string): ReadingNotes {
    return {
      attempt: (subject, read) => this.attempt(cluster, subject, read),
      note: (subject, text) => this.unread.push({ cluster, subject, text }),
    };
  }
}
