import { readFileSync } from 'node:fs';
import { renderAclPolicy } from '../../src/model';
import { checkProps, DOCUMENT_TEXT } from '../private/expectations';
import { closedDocument } from '../private/messages';
import { literal } from '../private/known';
import { lateText } from '../private/late-text';
import type { PolicyStatement } from './policy-statement';

export interface PolicyDocumentProps {
  /**
   * The first statements of the document.
   *
   * @default - none
   */
  readonly statements?: PolicyStatement[] | undefined;
}

/**
 * The document of an ACL policy, built from statements or taken as text. Interface section 2.2.
 *
 * Statements may be added until the app is synthesized. They are written in the order they were added in.
 */
export class PolicyDocument {
  /**
   * A document that is written already, in HCL or its JSON form.
   *
   * As in every text of an app, `${...}` is an expression that Terraform evaluates; `$${` stands for a literal `${`.
   */
  public static fromText(text: string): PolicyDocument {
    checkProps('PolicyDocument.fromText', { text }, { text: DOCUMENT_TEXT });
    const document = new PolicyDocument();
    document.text = text;
    return document;
  }

  /**
   * A document in a file, taken as it is: nothing in it is an expression for Terraform.
   *
   * @param path of the file; a relative one starts at the working directory of the synthesis.
   */
  public static fromFile(path: string): PolicyDocument {
    return PolicyDocument.fromText(literal(readFileSync(path, 'utf8')));
  }

  private readonly statements: PolicyStatement[] = [];
  private readonly listeners: ((conditions: readonly string[]) => void)[] = [];
  private text?: string;
  /** What the statements come to: an app asks for it several times on its way to the stack's file. */
  private rendered?: string;

  constructor(props: PolicyDocumentProps = {}) {
    this.addStatements(...(props.statements ?? []));
  }

  /** Whether nothing is in the document. */
  public get isEmpty(): boolean {
    return this.render().trim() === '';
  }

  /**
   * Adds statements at the end of the document.
   *
   * @throws Error when the document was made from text.
   */
  public addStatements(...statements: PolicyStatement[]): void {
    if (statements.length === 0) return;
    if (this.text !== undefined) throw closedDocument();
    this.statements.push(...statements);
    this.rendered = undefined;
    for (const listener of this.listeners) listener(statements.flatMap(({ _conditions }) => _conditions));
  }

  /** The document in HCL, as far as it has been built; or the text it was made from. */
  public render(): string {
    if (this.text !== undefined) return this.text;
    this.rendered ??= renderAclPolicy(this.statements.flatMap((statement) => statement._rules()));
    return this.rendered;
  }

  /**
   * Tells the conditions that Terraform has to check, of the statements that are there and of those to come.
   *
   * @internal
   */
  public _onConditions(listener: (conditions: readonly string[]) => void): void {
    this.listeners.push(listener);
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
   * The text that ends up in the stack, whatever is added until then.
   *
   * @internal
   */
  public get _finalText(): string {
    return this.text ?? lateText(() => this.render());
  }
}
