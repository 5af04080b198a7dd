import { brand } from '../private/brand';
import { renderAclPolicy } from '../../src/model';
import { checkObject, checkProps, DOCUMENT_TEXT } from '../private/expectations';
import { appError } from '../private/app-language';
import { CLOSED_DOCUMENT } from '../private/messages';
import { literalForTerraform } from '../../src/text';
import { lateText } from '../private/late-text';
import type { Condition } from '../private/late-values';
import type { PolicyStatement } from './policy-statement';
import { code } from '../../src/model/messages';
import { refuseValue, requireUsable } from '../private/refused-values';
import { readPolicyFile } from './policy-file';

/** The properties of a policy document. */
export interface PolicyDocumentProps {
  /**
   * The first statements of the document.
   *
   * @default - none
   */
  readonly statements?: PolicyStatement[] | undefined;
}

/**
 * The document of an ACL policy, built from statements or given as text.
 *
 * Statements may be added until the app is synthesized. They are written in the order in which they
 * were added.
 */
export class PolicyDocument {
  /**
   * Creates a document from text in HCL, or in the JSON form of HCL.
   *
   * As in every string of an app, `${...}` is an expression that Terraform evaluates. Write `$${`
   * for a literal `${`.
   */
  public static fromText(text: string): PolicyDocument {
    checkProps(code('PolicyDocument.fromText'), { text }, { text: DOCUMENT_TEXT });
    const document = new PolicyDocument();
    document.text = text;
    return document;
  }

  /**
   * Creates a document from a file, byte for byte: nothing in it is an expression for Terraform. A
   * file that cannot be read is reported at synthesis, with everything else that is wrong.
   *
   * @param path the path of the file, relative to the working directory.
   */
  public static fromFile(path: string): PolicyDocument {
    const { text, refusal } = readPolicyFile(path);
    const document = PolicyDocument.fromText(literalForTerraform(text));
    document._file = path;
    if (refusal) refuseValue(document, refusal);
    return document;
  }

  /**
   * The file that the document was made from.
   *
   * @internal
   */
  public _file?: string;

  private readonly statements: PolicyStatement[] = [];
  private readonly listeners: ((conditions: readonly Condition[]) => void)[] = [];
  private text?: string;
  /** The document as text. It is kept, because a synthesis needs it several times. */
  private rendered?: string;

  constructor(props: PolicyDocumentProps = {}) {
    brand(this, 'PolicyDocument');
    checkObject('PolicyDocument', 'PolicyDocumentProps', props, {});
    this.addStatements(...(props.statements ?? []));
  }

  /** Whether the document is empty. */
  public get isEmpty(): boolean {
    return this.render().trim() === '';
  }

  /**
   * Adds statements at the end of the document.
   *
   * @throws Error if the document was made from text.
   */
  public addStatements(...statements: PolicyStatement[]): void {
    if (statements.length === 0) return;
    checkObject('addStatements', 'PolicyDocumentProps', { statements }, {});
    if (this.text !== undefined) throw appError(CLOSED_DOCUMENT);
    this.statements.push(...statements);
    this.rendered = undefined;
    for (const listener of this.listeners) listener(statements.flatMap(({ _conditions }) => _conditions));
  }

  /** Returns the document as text: in HCL if it was built from statements. */
  public render(): string {
    requireUsable(this);
    if (this.text !== undefined) return this.text;
    this.rendered ??= renderAclPolicy(this.statements.flatMap((statement) => statement._rules()));
    return this.rendered;
  }

  /**
   * Calls a listener with the conditions that Terraform has to check, for present statements and
   * for those that are added later.
   *
   * @internal
   */
  public _onConditions(listener: (conditions: readonly Condition[]) => void): void {
    if (this._isOpen) this.listeners.push(listener);
    listener(this.statements.flatMap(({ _conditions }) => _conditions));
  }

  /**
   * Whether statements may still be added.
   *
   * @internal
   */
  public get _isOpen(): boolean {
    return this.text === undefined;
  }

  /**
   * The text that is written to the stack. It has all statements that are added before the
   * synthesis.
   *
   * @internal
   */
  public get _finalText(): string {
    return this.text ?? lateText(() => this.render());
  }
}
