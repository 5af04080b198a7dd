import { readFileSync } from 'node:fs';
import { literal } from '../private/known';

/** The document of an RGP or EGP policy, in the Sentinel language. Interface section 2.2. */
export class SentinelDocument {
  /**
   * A document given as text.
   *
   * As in every text of an app, `${...}` is an expression that Terraform evaluates; `$${` stands for a literal `${`.
   */
  public static fromText(text: string): SentinelDocument {
    return new SentinelDocument(text);
  }

  /**
   * A document in a file, taken as it is: nothing in it is an expression for Terraform.
   *
   * @param path of the file; a relative one starts at the working directory of the synthesis.
   */
  public static fromFile(path: string): SentinelDocument {
    return new SentinelDocument(literal(readFileSync(path, 'utf8')));
  }

  private constructor(private readonly text: string) {}

  /** The document's text. */
  public render(): string {
    return this.text;
  }
}
