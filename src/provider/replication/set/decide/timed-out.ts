import { VaultError } from '../../../../client';
import type { Phrase } from '../../../../model/messages';

/** An error about a wait that took too long, with its advice. */
export class TimedOut extends VaultError {
  constructor(
    message: string,
    readonly cures: Phrase,
  ) {
    super({ code: 'timeout', message });
  }
}
