import type { Field, Rule } from '../definition/field';
import { fieldsRule } from '../definition/rules';
import { tryParseDuration } from '../durations';
import { literal } from '../messages';

/** Returns a field for the time to wait for a cluster. */
export function timeoutField<D extends string>(doc: string, value: D) {
  return {
    type: 'duration',
    default: value,
    doc: `${doc}: seconds, or a duration such as \`10m\`.`,
  } as const satisfies Field;
}

/** The timeouts of the resource of a primary, by operation. */
export const PRIMARY_TIMEOUTS = {
  create: timeoutField('Maximum time to create the resource', '2m'),
  delete: timeoutField('Maximum time to delete the resource', '2m'),
} as const;
export const SECONDARY_TIMEOUTS = {
  // The first copy of all data takes long.
  create: timeoutField('Maximum time to create the resource', '30m'),
  update: timeoutField('Maximum time to update the resource', '10m'),
  delete: timeoutField('Maximum time to delete the resource', '2m'),
} as const;

/**
 * Returns the rules that timeouts are durations of more than 0, because a wait of 0 seconds would
 * always fail.
 */
export function timeoutRules(fields: Readonly<Record<string, Field>>): readonly Rule[] {
  return Object.keys(fields).map((field) =>
    fieldsRule([field], `${field}-positive`, ({ [field]: value }) =>
      typeof value === 'string' && (tryParseDuration(value) ?? 0) <= 0
        ? {
            problem: 'must be a duration of more than 0 and at most 292 years',
            received: literal(value),
            allowed: 'a number of seconds, or a duration such as "90s" or "10m"',
            cure: 'correct it, or remove it',
          }
        : undefined,
    ),
  );
}
