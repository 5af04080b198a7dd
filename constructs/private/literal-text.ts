/** Text between references is a separator unless it has one of these: anything but ASCII punctuation and white space. */
export const HAS_WORD = /[^\s!-/:-@[-`{-~]/;

/** Part of a text as Terraform reads it: taken literally, with `$${` for `${`; or evaluated, with its braces. */
interface TemplatePart {
  readonly text: string;
  readonly isLiteral: boolean;
}

/**
 * What a text says by itself, beside the expressions that Terraform evaluates in it: `user:` of `user:${var.pin}`. Texts
 * within expressions are arguments of functions, such as the name of a file.
 */
export function literalText(template: string): string {
  return templateParts(template)
    .filter(({ isLiteral }) => isLiteral)
    .map(({ text }) => text)
    .join('');
}

/** Splits a text into what Terraform takes literally and what it evaluates. */
export function templateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let begin = 0;
  for (let at = 0; at < template.length;) {
    if (/^([$%])\1\{/.test(template.slice(at, at + 3))) {
      at += 3;
    } else if (/^[$%]\{/.test(template.slice(at, at + 2))) {
      const end = endOfExpression(template, at + 2);
      if (at > begin) parts.push({ text: template.slice(begin, at), isLiteral: true });
      parts.push({ text: template.slice(at, end), isLiteral: false });
      at = begin = end;
    } else {
      at += 1;
    }
  }
  return begin < template.length ? [...parts, { text: template.slice(begin), isLiteral: true }] : parts;
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
