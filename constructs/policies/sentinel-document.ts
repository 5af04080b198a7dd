import { brand } from '../private/brand';
import { literalForTerraform } from '../../src/text';
import { checkProps, text as textExpectation } from '../private/expectations';
import { code } from '../../src/model/messages';
import { refuseValue, requireUsable } from '../private/refused-values';
import { readPolicyFile } from './policy-file';

const DOCUMENT_TEXT = textExpectation('text', "'main = rule { true }'");

/** How strictly an RGP or EGP policy is enforced. */
export enum EnforcementLevel {
  /** A failure is logged. The request is carried out. */
  ADVISORY = 'advisory',
  /** A failure denies the request, unless the request overrides the policy and may do so. */
  SOFT_MANDATORY = 'soft-mandatory',
  /** A failure denies the request. */
  HARD_MANDATORY = 'hard-mandatory',
}

/** The document of an RGP or EGP policy, in the Sentinel language. */
export class SentinelDocument {
  /**
   * Creates a document from text.
   *
   * As in every string of an app, `${...}` is an expression that Terraform evaluates. Write `$${`
   * for a literal `${`.
   */
  public static fromText(text: string): SentinelDocument {
    checkProps(code('SentinelDocument.fromText'), { text }, { text: DOCUMENT_TEXT });
    return new SentinelDocument(text);
  }

  /**
   * Creates a document from a file, byte for byte: nothing in it is an expression for Terraform. A
   * file that cannot be read is reported at synthesis, with everything else that is wrong.
   *
   * @param path the path of the file, relative to the working directory.
   */
  public static fromFile(path: string): SentinelDocument {
    const { text, refusal } = readPolicyFile(path);
    const document = new SentinelDocument(literalForTerraform(text), path);
    if (refusal) refuseValue(document, refusal);
    return document;
  }

  /**
   * The file that the document was made from.
   *
   * @internal
   */
  public readonly _file: string | undefined;

  private constructor(
    private readonly text: string,
    file?: string,
  ) {
    brand(this, 'SentinelDocument');
    this._file = file;
  }

  /** Returns the document as text. */
  public render(): string {
    requireUsable(this);
    return this.text;
  }
}
