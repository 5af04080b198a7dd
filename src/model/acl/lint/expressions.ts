/** A text whose Terraform expressions outside of quotes are replaced by blanks. */
interface CoveredText {
  readonly text: string;
  /** The lines, counted from 1, whose content only Terraform knows. */
  readonly lines: ReadonlySet<number>;
}

/**
 * Replaces the expressions (`${…}`) and directives (`%{…}`) of a text that Terraform completes, so
 * that the rest can be parsed with the same lines and columns. Expressions in quotes stay, because
 * each stands for a text. Expressions in comments stay as well.
 */
export function coverExpressions(text: string): CoveredText {
  const lines = new Set<number>();
  let covered = '';
  let line = 1;
  let quoted = false;
  /** The last character that is no white space. */
  let last = '';
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === '\n') line++;
    const opens = (char === '$' || char === '%') && text[index + 1] === '{';
    if (!opens) {
      const comment = quoted ? '' : commentAt(text, index);
      if (comment !== '') {
        covered += comment;
        line += comment.split('\n').length - 1;
        index += comment.length - 1;
        continue;
      }
      if (char === '"') quoted = !quoted;
      if (char === '\\' && quoted) covered += text[index++]!;
      if (char === '\n') quoted = false;
      covered += text.charAt(index);
      if (!/\s/.test(char)) last = char;
      continue;
    }
    const end = endOfExpression(text, index + 1);
    const expression = text.slice(index, end);
    if (quoted) {
      covered += expression;
    } else {
      lines.add(line);
      const isValue = char === '$' && last === '=';
      covered += isValue ? `[${blank(expression.slice(2))}]` : blank(expression);
      if (isValue) last = ']';
    }
    line += expression.split('\n').length - 1;
    index = end - 1;
  }
  return { text: covered, lines };
}

/** Whether a text has expressions outside of quotes, whose values the text alone does not show. */
export function hasUnquotedExpression(text: string): boolean {
  return coverExpressions(text).lines.size > 0;
}

/** Returns the comment that begins at an index, or an empty text. */
function commentAt(text: string, index: number): string {
  const isLine = text[index] === '#' || text.startsWith('//', index);
  if (!isLine && !text.startsWith('/*', index)) return '';
  const end = isLine ? text.indexOf('\n', index) : text.indexOf('*/', index + 2);
  if (end < 0) return text.slice(index);
  return text.slice(index, isLine ? end : end + 2);
}

function endOfExpression(text: string, brace: number): number {
  let depth = 0;
  for (let index = brace; index < text.length; index++) {
    if (text[index] === '{') depth++;
    if (text[index] === '}' && --depth === 0) return index + 1;
  }
  return text.length;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
