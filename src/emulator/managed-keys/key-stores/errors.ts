/** A backend's refusal. The message contains the reason, and never a secret. */
export class KeyStoreError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyStoreError';
  }
}
