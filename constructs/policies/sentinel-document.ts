import { readFileSync } from 'node:fs';
import { checkProps, text as textExpectation } from '../private/expectations';
import { literal } from '../private/known';

const DOCUMENT_TEXT = textExpectation('text', "'main = rule { true }'");

/** The document of an RGP or EGP policy, in the Sentinel language. Interface section 2.2. */
export class SentinelDocument {
  /**
   * A document given as text.
   *
   * As in every text of an app, `${...}` is an expression that Terraform evaluates; `$${` stands for a literal `${`.
   */
  public static fromText(text: string): SentinelDocument {
    checkProps('SentinelDocument.fromText', { text }, { text: DOCUMENT_TEXT });
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
