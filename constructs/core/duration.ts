import { brand } from '../private/brand';
import { Op, Token } from 'cdktf';
import { isWholeNumber } from '../private/known';
import { notAWholeNumber } from '../private/messages';

/**
 * The units as Vault and Terraform write them, with their seconds. Days are written in hours,
 * because both accept days only in some places.
 */
const UNITS = {
  seconds: { letter: 's', count: 1, seconds: 1 },
  minutes: { letter: 'm', count: 1, seconds: 60 },
  hours: { letter: 'h', count: 1, seconds: 3600 },
  days: { letter: 'h', count: 24, seconds: 86_400 },
};

/** A length of time. */
export class Duration {
  /**
   * A duration of `amount` seconds.
   *
   * @param amount a whole number, or a token.
   */
  public static seconds(amount: number): Duration {
    return new Duration(amount, 'seconds');
  }

  /**
   * A duration of `amount` minutes.
   *
   * @param amount a whole number, or a token.
   */
  public static minutes(amount: number): Duration {
    return new Duration(amount, 'minutes');
  }

  /**
   * A duration of `amount` hours.
   *
   * @param amount a whole number, or a token.
   */
  public static hours(amount: number): Duration {
    return new Duration(amount, 'hours');
  }

  /**
   * A duration of `amount` days of 24 hours.
   *
   * @param amount a whole number, or a token.
   */
  public static days(amount: number): Duration {
    return new Duration(amount, 'days');
  }

  private readonly amount: number;
  private readonly unit: keyof typeof UNITS;

  private constructor(amount: number, unit: keyof typeof UNITS) {
    brand(this, 'Duration');
    if (!isWholeNumber(amount)) throw notAWholeNumber(`Duration.${unit}`, amount);
    this.amount = amount;
    this.unit = unit;
  }

  /** Returns the number of seconds, or a token if the amount is one. */
  public toSeconds(): number {
    const { seconds } = UNITS[this.unit];
    if (!Token.isUnresolved(this.amount)) return this.amount * seconds;
    return Token.asNumber(Op.mul(this.amount, seconds));
  }

  /**
   * Returns the duration as Vault and Terraform read it, such as `24h`: in seconds if the amount is
   * a token.
   */
  public toString(): string {
    if (Token.isUnresolved(this.amount)) return Token.asString(this.toSeconds());
    const { letter, count } = UNITS[this.unit];
    return `${this.amount * count}${letter}`;
  }
}
