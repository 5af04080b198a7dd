/**
 * Matches any character except ASCII punctuation and white space. A text between references without
 * such a character is only a separator.
 */
export const HAS_WORD = /[^\s!-/:-@[-`{-~]/;

/**
 * A part of a text as Terraform reads it: a literal, in which `$${` stands for `${`, or an
 * expression with its braces.
 */
interface TemplatePart {
  readonly text: string;
  readonly isLiteral: boolean;
}

/**
 * Returns the literal parts of a text with Terraform expressions: `user:` of `user:${var.pin}`.
 * Texts within expressions are excluded: they are arguments of functions, such as the name of a
 * file.
 */
export function literalText(template: string): string {
  return templateParts(template)
    .filter(({ isLiteral }) => isLiteral)
    .map(({ text }) => text)
    .join('');
}

/** Splits a text into literals and expressions. */
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

const VERBATIM = /\/\*|\/\/|#|<<-?(\w+)\n/y;

/** Returns the index after the brace that closes an expression. */
function endOfExpression(template: string, begin: number): number {
  for (let at = begin; at < template.length; at += 1) {
    const character = template[at];
    if (character === '}') return at + 1;
    if (character === '{') at = endOfExpression(template, at + 1) - 1;
    if (character === '"') at = endOfQuoted(template, at + 1) - 1;
    at = endOfVerbatim(template, at) - 1;
  }
  return template.length;
}

/**
 * Returns the index after a comment or a heredoc, in which braces and quotation marks mean nothing.
 * For any other text, returns the index after one character.
 */
function endOfVerbatim(template: string, begin: number): number {
  VERBATIM.lastIndex = begin;
  const [opening, name] = VERBATIM.exec(template) ?? [];
  if (opening === undefined) return begin + 1;
  const end = begin + opening.length;
  if (name !== undefined) return endOfHeredoc(template, end, name);
  const closing = opening === '/*' ? '*/' : '\n';
  const found = template.indexOf(closing, end);
  return found < 0 ? template.length : found + closing.length;
}

function endOfHeredoc(template: string, begin: number, name: string): number {
  let at = begin;
  for (const line of template.slice(begin).split('\n')) {
    at += line.length;
    if (line.trim() === name) return at;
    at += 1;
  }
  return template.length;
}

/** Returns the index after the closing mark of a quoted text, which may contain expressions. */
function endOfQuoted(template: string, begin: number): number {
  for (let at = begin; at < template.length; at += 1) {
    const character = template[at];
    if (character === '"') return at + 1;
    if (character === '\\') at += 1;
    else if (/^[$%]\{/.test(template.slice(at, at + 2))) at = endOfExpression(template, at + 2) - 1;
  }
  return template.length;
}
