import { Token, type IResolvable, type IResolveContext } from 'cdktf';
import { templateParts } from './literal-text';

/**
 * Returns a text with an expression of Terraform that contains another expression. The latter may
 * be a token.
 *
 * @param template the inner expression with its braces: `${var.team}`.
 * @param wrap returns the outer expression. It receives the inner one, and the template as
 * Terraform reads it.
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
    // With braces, an expression differs from a text that the app itself produces late.
    context.suppressBraces = false;
    const template = String(context.resolve(this.template));
    context.suppressBraces = suppressBraces;
    return this.wrap(template);
  }

  toString(): string {
    return Token.asString(this);
  }
}

/** Returns one expression for a text that contains expressions of Terraform. */
function expressionOf(template: string): string {
  const parts = templateParts(template);
  const [first] = parts;
  if (parts.length === 1 && first?.text.startsWith('${'))
    return first.text.slice(2, -1).replace(/^~|~$/g, '');
  const quoted = parts.map(({ text, isLiteral }) => (isLiteral ? JSON.stringify(text).slice(1, -1) : text));
  return `"${quoted.join('')}"`;
}
