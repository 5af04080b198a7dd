import { brand } from '../private/brand';
import { Op, Token } from 'cdktf';
import { isWholeNumber } from '../private/known';
import { notAWholeNumber } from '../private/messages';

const BYTES = {
  bytes: 1,
  kibibytes: 1024,
  mebibytes: 1024 ** 2,
  gibibytes: 1024 ** 3,
  tebibytes: 1024 ** 4,
};

/** An amount of digital storage. */
export class Size {
  /**
   * A size of `amount` bytes.
   *
   * @param amount a whole number, or a token.
   */
  public static bytes(amount: number): Size {
    return new Size(amount, 'bytes');
  }

  /**
   * A size of `amount` kibibytes: 1024 bytes each.
   *
   * @param amount a whole number, or a token.
   */
  public static kibibytes(amount: number): Size {
    return new Size(amount, 'kibibytes');
  }

  /**
   * A size of `amount` mebibytes: 1024 kibibytes each.
   *
   * @param amount a whole number, or a token.
   */
  public static mebibytes(amount: number): Size {
    return new Size(amount, 'mebibytes');
  }

  /**
   * A size of `amount` gibibytes: 1024 mebibytes each.
   *
   * @param amount a whole number, or a token.
   */
  public static gibibytes(amount: number): Size {
    return new Size(amount, 'gibibytes');
  }

  /**
   * A size of `amount` tebibytes: 1024 gibibytes each.
   *
   * @param amount a whole number, or a token.
   */
  public static tebibytes(amount: number): Size {
    return new Size(amount, 'tebibytes');
  }

  private readonly amount: number;
  private readonly unit: keyof typeof BYTES;

  private constructor(amount: number, unit: keyof typeof BYTES) {
    brand(this, 'Size');
    if (!isWholeNumber(amount)) throw notAWholeNumber(`Size.${unit}`, amount);
    this.amount = amount;
    this.unit = unit;
  }

  /** Returns the number of bytes, or a token if the amount is one. */
  public toBytes(): number {
    if (!Token.isUnresolved(this.amount)) return this.amount * BYTES[this.unit];
    return this.unit === 'bytes' ? this.amount : Token.asNumber(Op.mul(this.amount, BYTES[this.unit]));
  }
}
