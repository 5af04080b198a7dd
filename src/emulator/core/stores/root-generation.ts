import { LogicalError, invalidRequest } from '../errors';
import { randomText, uuid } from '../primitives/identifiers';

/** The length of a one-time password: that of the new token, which is combined with it by XOR. */
export const OTP_LENGTH = 28;

interface Attempt {
  readonly nonce: string;
  readonly otp: string;
}

/** The progress of an attempt. The emulator's clusters have one unseal key, which completes it. */
interface RootGenerationStatus {
  readonly started: boolean;
  /** The nonce; empty without an attempt. */
  readonly nonce: string;
}

/**
 * Generates root tokens with the unseal key. A secondary needs one, since its tokens were deleted
 * when it joined.
 */
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
   * Starts an attempt.
   *
   * @param otp a one-time password; empty to have one generated.
   * @returns the password that encodes the token.
   * @throws LogicalError 400 if an attempt is in progress, or the password does not have the
   *   token's length.
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
   * Completes an attempt with the unseal key.
   *
   * @returns the new root token, encoded with the one-time password, in base64.
   * @throws LogicalError 400 without an attempt, or if the nonce or the key is wrong.
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
      .replace(/={1,2}$/, '');
  }
}
