import { templateParts } from '../../constructs/private/literal-text';
import { asTerraformReads } from '../../constructs/private/known';

/** What only Terraform knows, by how an app refers to it: `{ 'var.team': 'red', 'vault_mount.kv.path': 'kv' }`. */
export type ExpressionValues = Readonly<Record<string, string>>;

/**
 * A text of an app with values in the place of its expressions, and the expressions that no value was given for.
 *
 * @param template what is no text is read as an empty one.
 */
export function knownText(
  template: unknown,
  values: ExpressionValues,
): { readonly text: string; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const texts = templateParts(typeof template === 'string' ? template : '').map(({ text, isLiteral }) => {
    if (isLiteral) return String(asTerraformReads(text));
    const reference = Object.keys(values).find((name) => refersTo(text, name));
    if (reference === undefined) unknown.push(text);
    return reference === undefined ? text : values[reference]!;
  });
  return { text: texts.join(''), unknown };
}

/** Whether an expression reads something, and not something else whose name begins or ends like it. */
function refersTo(expression: string, name: string): boolean {
  const at = expression.indexOf(name);
  if (at < 0) return false;
  const around = [expression[at - 1], expression[at + name.length]];
  return around.every((character) => character === undefined || !/[\w.-]/.test(character));
}
