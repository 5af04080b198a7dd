import { VaultError } from '../../../../client';
import type { Phrase } from '../../../../model/messages';

/** The error if a wait took too long, with advice of its own. */
export class TimedOut extends VaultError {
  constructor(
    message: string,
    readonly cures: Phrase,
  ) {
    super({ code: 'timeout', message });
  }
}
