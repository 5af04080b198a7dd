import type { Field } from '../../model';

/** Returns the description of a field: its doc, and what else the model says of it. */
export function describeField({ doc, allowed, default: fallback, since }: Field): string {
  const listed = allowed?.every((value) => doc.includes(`\`${value}\``));
  const choice = allowed && !listed && `Allowed: ${allowed.map((value) => `\`${value}\``).join(', ')}.`;
  const leftOut = fallback !== undefined && `Default: \`${JSON.stringify(fallback)}\`.`;
  const later = since !== undefined && `Needs Vault ${since} or later.`;
  return [doc, choice, leftOut, later].filter(Boolean).join(' ');
}
