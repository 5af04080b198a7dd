import { VaultError } from '../../../client';

/** What is said at the end of an adoption. */
export interface Remark {
  readonly cluster: string;
  /** `managed keys`, `ACL policy "ops"`. */
  readonly subject: string;
  readonly text: string;
}

/** What could not be adopted, by what that means. */
export class Remarks {
  /** It is there, and cannot be declared. */
  readonly leftOut: Remark[] = [];
  /** It could not be read: nobody knows whether there is anything. */
  readonly unread: Remark[] = [];
  /** Good to know; nothing is missing. */
  readonly notes: Remark[] = [];

  /**
   * Makes failures of the server something to remark.
   *
   * @returns nothing where it could not be read.
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
}
