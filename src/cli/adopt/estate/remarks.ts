import { VaultError } from '../../../client';
import type { ReadingNotes } from '../../clusters/namespaces';

/** The remarks at the end of an adoption. */
export interface Remark {
  readonly cluster: string;
  /** `managed keys`, `ACL policy "ops"`. */
  readonly subject: string;
  readonly text: string;
}

/** What could not be adopted, by what that means. */
export class Remarks {
  /** It exists, and cannot be declared. */
  readonly leftOut: Remark[] = [];
  /** It could not be read: whether anything exists is unknown. */
  readonly unread: Remark[] = [];
  /** Good to know; nothing is missing. */
  readonly notes: Remark[] = [];

  /**
   * Makes failures of the server something to remark.
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
