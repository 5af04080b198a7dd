import { SYSTEM_CLOCK, type Clock, type Milliseconds } from '../transport/clock';
import type { TokenGrant } from '../answer/responses';
import { VaultError } from '../vault-error';
import type { TokenSource } from '../options/client-options';
import type { VaultClient } from '../vault-client';

/** A token is renewed when this part of its life is left. */
const LAST_PART = 1 / 2;
/**
 * The seconds that are requested in addition, because some time passes before the token is used.
 */
const MARGIN = 10;

interface HeldToken {
  readonly token: string;
  readonly renewable: boolean;
  /** The duration of the token's whole life; Infinity if it does not expire. */
  readonly life: Milliseconds;
  /** The time of expiry by the client's clock; Infinity if it does not expire. */
  readonly ends: Milliseconds;
  /** Whether the token is neither renewed nor replaced, but used until it expires. */
  readonly isLast?: true;
}

interface LoginTokensOptions {
  /** Logs in with a client that has no token. */
  readonly logIn: () => Promise<TokenGrant>;
  /** The client without a token. */
  readonly client: VaultClient;
  /** Called with every new token, before it is used. */
  readonly onToken: (token: string) => void;
  readonly clock?: Clock | undefined;
}

/**
 * The tokens of a login while a client is used. A token is renewed before it expires. If that is
 * not possible, or the server does not know the token any more, the client logs in again. A failed
 * login is not repeated, because that can lock users out.
 */
export class LoginTokens implements TokenSource {
  #held: Promise<HeldToken> | undefined;
  readonly #successors = new WeakMap<HeldToken, Promise<HeldToken>>();
  readonly #given: string[] = [];
  readonly #options: LoginTokensOptions;
  readonly #clock: Clock;

  constructor(options: LoginTokensOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  /** The tokens of all logins, the latest last. */
  get given(): readonly string[] {
    return this.#given;
  }

  async current(): Promise<string> {
    const held = await (this.#held ??= this.#logIn());
    return (this.#isDue(held) ? await this.#succeed(held, () => this.#prolong(held)) : held).token;
  }

  async replace(refused: string, { certain }: { readonly certain: boolean }): Promise<string | undefined> {
    const held = await this.#held;
    if (!held) return undefined;
    // Another call has already replaced the token.
    if (held.token !== refused) return held.token;
    if (!certain && this.#clock.now() < held.ends) return undefined;
    return (await this.#succeed(held, () => this.#logIn())).token;
  }

  /**
   * Renews the token if that is due, during a long time without calls. Does not log in for the
   * first time.
   */
  async keep(): Promise<void> {
    if (this.#held) await this.current().catch(() => undefined);
  }

  /**
   * Makes the token valid for the given time, by a renewal or a new login if necessary.
   *
   * @returns the time for which it is valid: less if the login does not allow more; Infinity if it
   *   does not expire.
   */
  async lasting(wanted: Milliseconds): Promise<Milliseconds> {
    await this.current();
    const held = await this.#held!;
    const left = ({ ends }: HeldToken) => ends - this.#clock.now();
    if (left(held) >= wanted || held.isLast) return left(held);
    return left(await this.#succeed(held, () => this.#prolong(held, wanted)));
  }

  /** Waits for a login that is in progress. */
  async settled(): Promise<void> {
    await this.#held?.catch(() => undefined);
  }

  /** Drops a token that the server has deleted: the next call logs in again. */
  forget(): void {
    this.#held = undefined;
  }

  #isDue({ life, ends, isLast }: HeldToken): boolean {
    return !isLast && ends - this.#clock.now() <= life * LAST_PART;
  }

  /** Creates the successor of a token, once for all calls that need one. */
  #succeed(held: HeldToken, make: () => Promise<HeldToken>): Promise<HeldToken> {
    let next = this.#successors.get(held);
    if (!next) {
      next = make();
      this.#successors.set(held, next);
      this.#held = next;
    }
    return next;
  }

  /**
   * Renews a token, or logs in if the renewed token would not be valid for long enough.
   *
   * @param wanted the required time; by default the whole life of a token.
   */
  async #prolong(held: HeldToken, wanted?: Milliseconds): Promise<HeldToken> {
    const isEnough = ({ life, ends }: HeldToken) => {
      const left = ends - this.#clock.now();
      return wanted === undefined ? left > life * LAST_PART : left >= wanted;
    };
    const renewed = await this.#renew(held, wanted);
    if (renewed && isEnough(renewed)) return renewed;
    try {
      const next = await this.#logIn();
      return isEnough(next) ? next : ((await this.#renew(next, wanted)) ?? next);
    } catch {
      // A login secret that can be used once does not allow another login, so the present token is
      // used until it expires.
      return { ...(renewed ?? held), isLast: true };
    }
  }

  async #renew(held: HeldToken, wanted?: Milliseconds): Promise<HeldToken | undefined> {
    if (!held.renewable || this.#clock.now() >= held.ends) return undefined;
    try {
      const client = this.#options.client.withToken(held.token);
      const { ttl } = await client.token.renewSelf(
        wanted === undefined ? undefined : Math.ceil(wanted / 1000) + MARGIN,
      );
      return { ...held, ends: this.#endOf(ttl) };
    } catch (error) {
      if (VaultError.is(error)) return undefined;
      throw error;
    }
  }

  async #logIn(): Promise<HeldToken> {
    const { token, ttl, renewable } = await this.#options.logIn();
    this.#options.onToken(token);
    this.#given.push(token);
    return { token, renewable, life: ttl === 0 ? Infinity : ttl * 1000, ends: this.#endOf(ttl) };
  }

  #endOf(ttl: number): Milliseconds {
    return ttl === 0 ? Infinity : this.#clock.now() + ttl * 1000;
  }
}
