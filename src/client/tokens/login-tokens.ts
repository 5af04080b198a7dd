import { SYSTEM_CLOCK, type Clock, type Milliseconds } from '../transport/clock';
import type { TokenGrant } from '../answer/responses';
import { VaultError } from '../vault-error';
import type { TokenSource } from '../options/client-options';
import type { VaultClient } from '../vault-client';

/** A part of a token's life: once no more than this is left of it, it is renewed. */
const LAST_PART = 1 / 2;
/** In seconds, asked for on top of what is wanted: some of it passes before the token is used. */
const MARGIN = 10;

interface HeldToken {
  readonly token: string;
  readonly renewable: boolean;
  /** Of its whole life. Infinity: it does not end. */
  readonly life: Milliseconds;
  /** By the clock of the client. */
  readonly ends: Milliseconds;
  /** Neither renewed nor replaced: it is used until it ends. */
  readonly isLast?: true;
}

interface LoginTokensOptions {
  /** Logs in, with a client that has no token. */
  readonly logIn: () => Promise<TokenGrant>;
  /** The client without a token. */
  readonly client: VaultClient;
  /** Called with every new token, before it is used. */
  readonly onToken: (token: string) => void;
  readonly clock?: Clock | undefined;
}

/**
 * The tokens of a login, for as long as a client is used: a token is renewed before it ends, and where that is not
 * possible, or the server does not know it any more, the client logs in again. A login that fails is not repeated: that
 * locks users out.
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

  /** Every token that a login gave, the latest last. */
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
    // Another call was quicker.
    if (held.token !== refused) return held.token;
    if (!certain && this.#clock.now() < held.ends) return undefined;
    return (await this.#succeed(held, () => this.#logIn())).token;
  }

  /** Renews the token if that is due, while nothing is sent for a long time. Does not log in first. */
  async keep(): Promise<void> {
    if (this.#held) await this.current().catch(() => undefined);
  }

  /**
   * Has the token live for so long, by renewing it or logging in again where that is necessary.
   *
   * @returns how long it lives: less where the login gives no such token. Infinity: it does not end.
   */
  async lasting(wanted: Milliseconds): Promise<Milliseconds> {
    await this.current();
    const held = await this.#held!;
    const left = ({ ends }: HeldToken) => ends - this.#clock.now();
    if (left(held) >= wanted || held.isLast) return left(held);
    return left(await this.#succeed(held, () => this.#prolong(held, wanted)));
  }

  /** Waits for a login that is under way. */
  async settled(): Promise<void> {
    await this.#held?.catch(() => undefined);
  }

  /** The server has erased the token: the next call logs in again. */
  forget(): void {
    this.#held = undefined;
  }

  #isDue({ life, ends, isLast }: HeldToken): boolean {
    return !isLast && ends - this.#clock.now() <= life * LAST_PART;
  }

  /** Makes the token after another one: once, for all calls that need it. */
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
   * Renews a token, or logs in where that does not give it a long life.
   *
   * @param wanted how long it has to live. Absent: as long as the server has it live.
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
      // A secret that can be used once does not log in again: what there is has to do.
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
