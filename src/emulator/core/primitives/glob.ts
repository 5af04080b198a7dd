/** Whether a text fits a pattern in which `*` stands for any text. */
export function matchesGlob(pattern: string, text: string): boolean {
  return globExpression(pattern).test(text);
}

/** A pattern in which `*` stands for any text, for use on many texts. */
export function globExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(escapeExpression).join('.*')}$`, 's');
}

/** A text as a regular expression that finds just this text. */
export function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
