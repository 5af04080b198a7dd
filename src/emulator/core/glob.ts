/** Whether a text fits a pattern in which every `*` stands for any text, as in policies' names and bound claims. */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
