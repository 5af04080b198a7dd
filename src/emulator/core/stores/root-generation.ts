import { LogicalError, invalidRequest } from '../errors';
import { randomText, uuid } from '../primitives/identifiers';

/** As long as the token that is made, so that each of its characters is hidden by one of the password's. */
export const OTP_LENGTH = 28;

interface Attempt {
  readonly nonce: string;
  readonly otp: string;
}

/** How far an attempt is. The emulator's clusters have one unseal key, which ends it. */
interface RootGenerationStatus {
  readonly started: boolean;
  /** Empty if there is no attempt. */
  readonly nonce: string;
}

/** Makes root tokens for whoever has the unseal key: the way into a secondary, whose tokens died when it joined. */
export class RootGeneration {
  #attempt: Attempt | undefined;

  readonly #isUnsealKey: (key: string) => boolean;
  readonly #newRootToken: () => string;

  constructor(isUnsealKey: (key: string) => boolean, newRootToken: () => string) {
    this.#isUnsealKey = isUnsealKey;
    this.#newRootToken = newRootToken;
  }

  get status(): RootGenerationStatus {
    return { started: this.#attempt !== undefined, nonce: this.#attempt?.nonce ?? '' };
  }

  /**
   * @param otp a one-time password; empty to have one made.
   * @returns the password that the token will be hidden with.
   * @throws LogicalError 400 if an attempt is under way, or the password has another length than the token.
   */
  start(otp: string): string {
    if (this.#attempt !== undefined) throw invalidRequest('root generation already in progress');
    if (otp !== '' && otp.length !== OTP_LENGTH) throw invalidRequest('OTP string is wrong length');
    this.#attempt = { nonce: uuid(), otp: otp || randomText(OTP_LENGTH) };
    return this.#attempt.otp;
  }

  cancel(): void {
    this.#attempt = undefined;
  }

  /**
   * Ends an attempt with the unseal key.
   *
   * @returns the new root token, hidden with the one-time password: in base64.
   * @throws LogicalError 400 without attempt, or for another nonce or key.
   */
  finish(key: string, nonce: string): string {
    if (this.#attempt === undefined) throw invalidRequest('no root generation in progress');
    if (nonce !== this.#attempt.nonce) {
      throw invalidRequest(
        `incorrect nonce supplied; nonce for this root generation operation is "${this.#attempt.nonce}"`,
      );
    }
    if (!this.#isUnsealKey(key)) throw new LogicalError(400, 'root generation aborted: invalid key');
    const token = Buffer.from(this.#newRootToken());
    const otp = Buffer.from(this.#attempt.otp);
    this.#attempt = undefined;
    return Buffer.from(token.map((byte, index) => byte ^ (otp[index] ?? 0)))
      .toString('base64')
      .replace(/=+$/, '');
  }
}
