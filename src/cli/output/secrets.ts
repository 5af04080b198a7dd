import { Redactor } from '../../text';
import { filterOutput } from './print';

const SECRETS = new Redactor();

/** Hides a secret in everything that is printed from now on. */
export function hideInOutput(secret: string): void {
  SECRETS.add(secret);
  filterOutput((text) => SECRETS.hide(text));
}
