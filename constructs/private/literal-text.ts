/**
 * What a text says by itself, beside the expressions that Terraform evaluates in it: `user:` of `user:${var.pin}`. Texts
 * within expressions are arguments of functions, such as the name of a file.
 */
export function literalText(template: string): string {
  let literal = '';
  for (let at = 0; at < template.length;) {
    if (/^([$%])\1\{/.test(template.slice(at, at + 3))) {
      literal += template.slice(at, at + 3);
      at += 3;
    } else if (/^[$%]\{/.test(template.slice(at, at + 2))) {
      at = endOfExpression(template, at + 2);
    } else {
      literal += template[at];
      at += 1;
    }
  }
  return literal;
}

/** @returns where the text goes on after the brace that closes an expression. */
function endOfExpression(template: string, begin: number): number {
  for (let at = begin; at < template.length; at += 1) {
    const character = template[at];
    if (character === '}') return at + 1;
    if (character === '{') at = endOfExpression(template, at + 1) - 1;
    if (character === '"') at = endOfQuoted(template, at + 1) - 1;
  }
  return template.length;
}

/** @returns where the text goes on after the mark that closes a quoted text, which may hold expressions itself. */
function endOfQuoted(template: string, begin: number): number {
  for (let at = begin; at < template.length; at += 1) {
    const character = template[at];
    if (character === '"') return at + 1;
    if (character === '\\') at += 1;
    else if (/^[$%]\{/.test(template.slice(at, at + 2))) at = endOfExpression(template, at + 2) - 1;
  }
  return template.length;
}
