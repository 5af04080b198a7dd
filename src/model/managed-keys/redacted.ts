import type { Field, Rule } from '../definition/field';
import { textRule } from '../definition/rules';
import { literal } from '../messages';

/** The placeholder that servers return instead of a value that they do not show. */
export const REDACTED = 'redacted';

/** The fields that are not secret, but that servers do not show. */
const OTHER_REDACTED_FIELDS: readonly string[] = ['key_id'];

/** Whether servers return {@link REDACTED} in place of a field. */
export function isRedacted(name: string, { sensitive }: Field): boolean {
  return sensitive === true || OTHER_REDACTED_FIELDS.includes(name);
}

/** Returns the rules that the placeholder of a read must not be written back as a value. */
export function notRedactedRules(fields: Readonly<Record<string, Field>>): readonly Rule[] {
  const names = Object.entries(fields).flatMap(([name, field]) => (isRedacted(name, field) ? [name] : []));
  return names.map((name) => ({
    ...textRule(name, `${name.replaceAll('_', '-')}-not-redacted`, (text) =>
      text === REDACTED
        ? {
            problem: 'must be the actual value, not the placeholder that servers return',
            received: literal(REDACTED),
            cure: `set ${name} to the actual value`,
          }
        : undefined,
    ),
    // Servers treat the placeholder as any other text.
    serverAccepts: true,
  }));
}
