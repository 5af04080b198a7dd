/** Whether a path holds `{{…}}`, which the server replaces by facts about the token's identity. */
export function isTemplated(path: string): boolean {
  return path.includes('{{');
}

/** Refuses braces that do not pair up. What stands between them shows when a token uses the policy. */
export function checkTemplate(path: string, refuse: (message: string) => Error): void {
  const [before = '', ...pieces] = path.split('{{');
  if (before.includes('}}') || pieces.some((piece) => piece.split('}}').length !== 2)) {
    throw refuse('failed to validate policy templating: unbalanced templating characters');
  }
}
