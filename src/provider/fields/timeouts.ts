import { parseDuration, timeoutRules, validate, type Field } from '../../model';
import { isKnown, singleBlock, string, type Diagnostics, type Unknown } from '../../plugin';
import { reportFinding } from '../messages';
import { describeField } from './typed-fields';

/** The operations that have a timeout. */
type TimeoutFields = Readonly<Record<string, Field & { readonly default: string }>>;

/** The block `timeouts` of a resource: the maximum time that each operation waits for a cluster. */
export function timeoutsBlock<F extends TimeoutFields>(fields: F) {
  const attributes = Object.fromEntries(
    Object.entries(fields).map(([operation, field]) => [
      operation,
      string({ optional: true, description: describeField(field) }),
    ]),
  ) as { readonly [K in keyof F]: ReturnType<typeof string<false>> };
  return singleBlock({
    attributes,
    description: 'How long to wait for the clusters. What was done stays done if the time runs out.',
  });
}

type Timeouts = Readonly<Record<string, string | Unknown | null>>;

/** Reports the timeouts that are not valid. */
export function reportTimeouts(
  title: string,
  fields: TimeoutFields,
  timeouts: Timeouts | Unknown | null,
  diagnostics: Diagnostics,
): void {
  if (!isKnown(timeouts) || timeouts === null) return;
  const open = Object.keys(timeouts).filter((operation) => !isKnown(timeouts[operation]));
  for (const finding of validate({ fields, rules: timeoutRules(fields) }, timeouts, new Set(open))) {
    const { field } = finding;
    const inBlock = { ...finding, field: `timeouts.${field}` };
    reportFinding(diagnostics, { title }, undefined, inBlock, ['timeouts', field]);
  }
}

/** Returns the timeout of an operation, in seconds. */
export function timeoutOf<F extends TimeoutFields>(
  operation: keyof F & string,
  timeouts: Readonly<Record<string, string | null>> | null,
  fields: F,
): number {
  return parseDuration(timeouts?.[operation] ?? fields[operation]!.default);
}
