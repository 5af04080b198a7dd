import { Op, Token } from 'cdktf';
import { noAmountOfTime } from '../private/messages';

const SECONDS = { s: 1, m: 60, h: 3600 };

/** A length of time. */
export class Duration {
  /** @throws Error for an amount that is negative or has a fraction. */
  public static seconds(amount: number): Duration {
    return new Duration('seconds', amount, 's');
  }

  /** @throws Error for an amount that is negative or has a fraction. */
  public static minutes(amount: number): Duration {
    return new Duration('minutes', amount, 'm');
  }

  /** @throws Error for an amount that is negative or has a fraction. */
  public static hours(amount: number): Duration {
    return new Duration('hours', amount, 'h');
  }

  private constructor(
    factory: string,
    private readonly amount: number,
    private readonly unit: keyof typeof SECONDS,
  ) {
    const isWhole = Number.isSafeInteger(amount) && amount >= 0;
    if (!Token.isUnresolved(amount) && !isWhole) throw noAmountOfTime(factory, amount);
  }

  /** In seconds: a token, where the amount is one. */
  public toSeconds(): number {
    const seconds = SECONDS[this.unit];
    if (!Token.isUnresolved(this.amount)) return this.amount * seconds;
    return Token.asNumber(Op.mul(this.amount, seconds));
  }

  /** As Vault and Terraform read it: `24h`; in seconds where the amount is a token. */
  public toString(): string {
    return Token.isUnresolved(this.amount) ? Token.asString(this.toSeconds()) : `${this.amount}${this.unit}`;
  }
}
