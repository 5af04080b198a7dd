import type { Field, Rule } from '../definition/field';
import { textRule } from '../definition/rules';
import { literal } from '../messages';

/** What servers show instead of a value that they keep to themselves. */
export const REDACTED = 'redacted';

/** Not secret, and yet kept to themselves by servers. */
const OTHER_REDACTED_FIELDS: readonly string[] = ['key_id'];

/** Whether servers show {@link REDACTED} in place of a field. */
export function isRedacted(name: string, { sensitive }: Field): boolean {
  return sensitive === true || OTHER_REDACTED_FIELDS.includes(name);
}

/** The placeholder that a read returns instead of a value must not be written back. */
export function notRedactedRules(fields: Readonly<Record<string, Field>>): readonly Rule[] {
  const names = Object.entries(fields).flatMap(([name, field]) => (isRedacted(name, field) ? [name] : []));
  return names.map((name) => ({
    ...textRule(name, `${name.replaceAll('_', '-')}-not-redacted`, '2.1', (text) =>
      text === REDACTED
        ? {
            problem: 'must be the actual value, not the placeholder that servers return',
            received: literal(REDACTED),
            cure: `set ${name} to the actual value`,
          }
        : undefined,
    ),
    // To them it is a text like any other.
    serverAccepts: true,
  }));
}
