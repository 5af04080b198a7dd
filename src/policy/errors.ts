import { renderText, type Message } from '../model/messages';
/**
 * An error for policies that cannot be tested: they were not found, do not parse, or are not known
 * yet.
 */
export class PolicySourceError extends Error {
  override readonly name = 'PolicySourceError';

  constructor(message: Message | string, options?: ErrorOptions) {
    super(renderText(message), options);
  }
}
