import { templateParts } from '../../constructs/private/literal-text';
import { asTerraformReads } from '../../constructs/private/known';

/**
 * Values that only Terraform knows, by their references in the app: `{ 'var.team': 'red',
 * 'vault_mount.kv.path': 'kv' }`.
 */
export type ExpressionValues = Readonly<Record<string, string>>;

/**
 * Replaces the expressions of a text by values, and returns the expressions without one.
 *
 * @param template anything but a string counts as empty.
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

/** Whether an expression refers to exactly this name, and not to a longer one that contains it. */
function refersTo(expression: string, name: string): boolean {
  const at = expression.indexOf(name);
  if (at < 0) return false;
  const around = [expression[at - 1], expression[at + name.length]];
  return around.every((character) => character === undefined || !/[\w.-]/.test(character));
}
