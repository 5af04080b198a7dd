import { Redactor } from '../../text';
import { filterOutput } from './print';

const SECRETS = new Redactor();

/** Hides a secret in everything that is printed from now on. */
export function hideInOutput(secret: string): void {
  SECRETS.add(secret);
  filterOutput(withoutSecrets);
}

/** Returns a text without the secrets of the command. */
export function withoutSecrets(text: string): string {
  return SECRETS.hide(text);
}
