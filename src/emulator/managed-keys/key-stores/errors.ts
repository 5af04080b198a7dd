/** A backend's refusal. The message says what is wrong, and never holds a secret. */
export class KeyStoreError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyStoreError';
  }
}
