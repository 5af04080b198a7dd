import { Token, type IResolvable, type IResolveContext } from 'cdktf';
import { templateParts } from './literal-text';

/**
 * Returns an expression, or a token for one, within another expression of Terraform.
 *
 * @param template with its braces: `${var.team}`.
 * @param wrap returns the other expression for this one, and for the template as Terraform reads
 *   it.
 */
export function late(template: string, wrap: (value: string, template: string) => string): string {
  return new WrappedExpression(
    template,
    (template) => `\${${wrap(expressionOf(template), template)}}`,
  ).toString();
}

/** Returns a text that shows a template, such as `${var.team}`, in a message of Terraform. */
export function shown(template: string): string {
  return new WrappedExpression(template, inMessage).toString();
}

/** Returns a text in which Terraform finds no expressions. */
export function inMessage(text: string): string {
  return text.replace(/[$%](?=\{)/g, '$&$&');
}

class WrappedExpression implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(
    private readonly template: string,
    private readonly wrap: (template: string) => string,
  ) {}

  resolve(context: IResolveContext): string {
    const { suppressBraces } = context;
    // The braces distinguish an expression from a text that the app itself produces late.
    context.suppressBraces = false;
    const template = String(context.resolve(this.template));
    context.suppressBraces = suppressBraces;
    return this.wrap(template);
  }

  toString(): string {
    return Token.asString(this);
  }
}

/** Returns a text with Terraform's expressions as one expression. */
function expressionOf(template: string): string {
  const parts = templateParts(template);
  const [first] = parts;
  if (parts.length === 1 && first?.text.startsWith('${'))
    return first.text.slice(2, -1).replace(/^~|~$/g, '');
  const quoted = parts.map(({ text, isLiteral }) => (isLiteral ? JSON.stringify(text).slice(1, -1) : text));
  return `"${quoted.join('')}"`;
}
