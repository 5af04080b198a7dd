import { LogicalError, invalidRequest } from '../errors';
import { randomText, uuid } from '../primitives/identifiers';
import { GivenShares, type SealKeys } from './seal-keys';

/** The length of a one-time password: that of the new token, which is combined with it by XOR. */
export const OTP_LENGTH = 28;

interface Attempt {
  readonly nonce: string;
  readonly otp: string;
  readonly shares: GivenShares;
}

/** The progress of an attempt. */
interface RootGenerationStatus {
  readonly started: boolean;
  /** The nonce; empty without an attempt. */
  readonly nonce: string;
  /** The number of shares that were given. */
  readonly progress: number;
  /** The number of shares that complete the attempt. */
  readonly required: number;
}

/**
 * Generates root tokens with shares of the unseal key. A secondary needs a new root token, since
 * its tokens were deleted when it joined.
 */
export class RootGeneration {
  #attempt: Attempt | undefined;

  readonly #sealKeys: () => SealKeys;
  readonly #newRootToken: () => string;

  constructor(sealKeys: () => SealKeys, newRootToken: () => string) {
    this.#sealKeys = sealKeys;
    this.#newRootToken = newRootToken;
  }

  get status(): RootGenerationStatus {
    return {
      started: this.#attempt !== undefined,
      nonce: this.#attempt?.nonce ?? '',
      progress: this.#attempt?.shares.count ?? 0,
      required: this.#sealKeys().threshold,
    };
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
    this.#attempt = { nonce: uuid(), otp: otp || randomText(OTP_LENGTH), shares: new GivenShares() };
    return this.#attempt.otp;
  }

  cancel(): void {
    this.#attempt = undefined;
  }

  /**
   * Takes a share of the unseal key.
   *
   * @returns with the last share, the new root token, encoded with the one-time password, in
   *   base64; otherwise `undefined`.
   * @throws LogicalError 400 without an attempt, and if the nonce is wrong. Also if all required
   *   shares were given, and one of them is wrong: the attempt then begins again.
   */
  takeShare(share: string, nonce: string): string | undefined {
    if (this.#attempt === undefined) throw invalidRequest('no root generation in progress');
    if (nonce !== this.#attempt.nonce) {
      throw invalidRequest(
        `incorrect nonce supplied; nonce for this root generation operation is "${this.#attempt.nonce}"`,
      );
    }
    const isRight = this.#attempt.shares.add(this.#sealKeys(), share);
    if (isRight === undefined) return undefined;
    if (!isRight) throw new LogicalError(400, 'root generation aborted: invalid key');
    const token = Buffer.from(this.#newRootToken());
    const otp = Buffer.from(this.#attempt.otp);
    this.#attempt = undefined;
    return Buffer.from(token.map((byte, index) => byte ^ (otp[index] ?? 0)))
      .toString('base64')
      .replace(/={1,2}$/, '');
  }
}
