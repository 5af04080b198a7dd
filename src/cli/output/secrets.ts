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

/** Returns a value of JSON in which no text has a secret of the command. */
export function withoutSecretsIn<T extends object>(value: T): T {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? withoutSecrets(member) : member,
  );
  return JSON.parse(text) as T;
}
